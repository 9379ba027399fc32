import IntentEvents
import IntentRuntime
import Testing

@testable import IntentOperations

@Suite("Records of several partitions in the order of time")
struct TimeOrderTests {
    private static let partitions = [TopicPartition("t", 0), TopicPartition("t", 1)]

    private static func record(_ partition: Int, _ offset: Int64, at time: Int64) -> LogRecord {
        LogRecord(
            topicPartition: Self.partitions[partition],
            offset: offset,
            timestamp: time,
            key: nil,
            value: nil,
            headers: []
        )
    }

    private static func times(_ records: [LogRecord]) -> [Int64] { records.map(\.timestamp) }

    @Test("A record waits until nothing older can come")
    func recordWaitsForOlderOnes() {
        var order = TimeOrder()
        let both = Set(Self.partitions)
        #expect(order.take([Self.record(0, 0, at: 10), Self.record(0, 1, at: 30)], open: both).isEmpty)
        #expect(Self.times(order.take([Self.record(1, 0, at: 20)], open: both)) == [10, 20])
        // The end of the first partition: what it holds waits for the other one alone.
        let last = order.take([Self.record(1, 1, at: 40)], open: [Self.partitions[1]])
        #expect(Self.times(last) == [30, 40])
        #expect(Self.times(order.take([Self.record(1, 2, at: 50), Self.record(0, 2, at: 45)], open: [])) == [45, 50])
    }

    @Test("Where a partition's timestamps decrease nothing is lost")
    func decreasingTimesLoseNothing() {
        var order = TimeOrder()
        let records = [Self.record(0, 0, at: 10), Self.record(0, 1, at: 5), Self.record(1, 0, at: 7)]
        #expect(order.take(records, open: Set(Self.partitions)).map(\.offset) == [0])
        #expect(order.take([], open: []).count == 2)
    }

    @Test(
        "The number of held records is bounded: beyond it the older half is released, and nothing is lost or repeated"
    )
    func boundsHeldRecords() {
        var order = TimeOrder(limit: 10)
        var taken: [LogRecord] = []
        for offset in 0..<100 {
            taken += order.take([Self.record(0, Int64(offset), at: Int64(offset))], open: Set(Self.partitions))
        }
        #expect(!taken.isEmpty)
        taken += order.take([], open: [])
        #expect(Self.times(taken) == Array(0..<100))
    }
}
