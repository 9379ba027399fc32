import IntentEvents
import IntentRuntime
import Testing

@Suite("When stalled reading is reported")
struct ReadingWatchTests {
    private static let partition = TopicPartition("requests", 3)
    private let watched = Watched()

    /// A watch that is shown one observation after another, five seconds apart.
    private final class Watched {
        var watch = ReadingWatch(ReadingWatch.Limits())
        var now = Duration.seconds(1_000)

        /// Its findings for each.
        func show(_ observations: [ReadingWatch.Observation]) -> [[ReadingWatch.Finding]] {
            observations.map { observation in
                self.now += .seconds(5)
                return self.watch.show([ReadingWatchTests.partition: observation], at: self.now)
            }
        }

        /// Whether it has no finding for any.
        func isQuiet(_ observations: [ReadingWatch.Observation]) -> Bool { self.show(observations).joined().isEmpty }

        /// Shows it that nothing is read for now.
        func showNothing() -> [ReadingWatch.Finding] { self.watch.show([:], at: self.now) }
    }

    private static func observations(_ count: Int, _ position: Int64, _ stable: Int64, _ end: Int64) -> [ReadingWatch
        .Observation]
    {
        Array(repeating: .init(position: position, lastStable: stable, end: end), count: count)
    }

    @Test(
        "A lane that is stalled for a minute is reported, again each minute, and when it continues"
    )
    func reportsStalledLaneEveryMinute() {
        let stuck = ReadingWatch.Observation(position: 7, lastStable: 9, end: 9)
        #expect(self.watched.isQuiet(Self.observations(12, 7, 9, 9)))
        #expect(self.watched.show([stuck]) == [[.stalled(Self.partition, stuck, for: .seconds(60), count: 1)]])
        #expect(self.watched.watch.reported == [Self.partition])
        #expect(self.watched.isQuiet(Self.observations(11, 7, 9, 9)))
        // More records come after it: it is the same place.
        let later = ReadingWatch.Observation(position: 7, lastStable: 20, end: 30)
        #expect(self.watched.show([later]) == [[.stalled(Self.partition, later, for: .seconds(120), count: 2)]])
        #expect(
            self.watched.show(Self.observations(1, 8, 20, 20)) == [[.resumed(Self.partition, after: .seconds(125))]]
        )
        #expect(self.watched.watch.reported.isEmpty)
        #expect(self.watched.isQuiet(Self.observations(3, 20, 20, 20)))
    }

    @Test("A partition that is no longer read does not count as stalled, although nothing reported that it continued")
    func pausedPartitionIsNotStalled() {
        _ = self.watched.show(Self.observations(13, 7, 9, 9))
        #expect(self.watched.watch.reported == [Self.partition])
        #expect(self.watched.showNothing().isEmpty)
        #expect(self.watched.watch.reported.isEmpty)
    }

    @Test("The time spent at an offset is known from the second check on, long before it is reported")
    func knowsTimeAtOffsetFromSecondCheck() {
        let began = self.watched.now + .seconds(5)
        _ = self.watched.show(Self.observations(1, 7, 9, 9))
        #expect(self.watched.watch.notAdvancingSince.isEmpty)
        _ = self.watched.show(Self.observations(1, 7, 12, 12))
        #expect(self.watched.watch.notAdvancingSince == [Self.partition: began])
        #expect(self.watched.watch.reported.isEmpty)
        _ = self.watched.show(Self.observations(1, 8, 12, 12))
        #expect(self.watched.watch.notAdvancingSince.isEmpty)
        _ = self.watched.show(Self.observations(2, 12, 12, 14))
        #expect(self.watched.watch.notAdvancingSince == [Self.partition: began + .seconds(15)])
        _ = self.watched.show(Self.observations(1, 14, 14, 14))
        #expect(self.watched.watch.notAdvancingSince.isEmpty)
    }

    @Test("An idle log and a busy one are not reported")
    func idleAndBusyPartitionsAreNotReported() {
        #expect(self.watched.isQuiet(Self.observations(50, 9, 9, 9)))
        let busy = (0..<50).map { ReadingWatch.Observation(position: 9 + $0, lastStable: 100 + $0, end: 110 + $0) }
        #expect(self.watched.isQuiet(busy))
    }

    @Test("An open transaction is reported after five seconds, then each minute, and never as a stalled lane")
    func reportsOpenTransactionAfterFiveSeconds() {
        let held = ReadingWatch.Observation(position: 7, lastStable: 7, end: 9)
        #expect(
            self.watched.show([held, held]) == [[], [.blocked(Self.partition, held, for: .seconds(5), count: 1)]]
        )
        let findings = self.watched.show(Self.observations(24, 7, 7, 9)).flatMap(\.self)
        #expect(
            findings == [
                .blocked(Self.partition, held, for: .seconds(65), count: 2),
                .blocked(Self.partition, held, for: .seconds(125), count: 3),
            ]
        )
        #expect(self.watched.show(Self.observations(1, 7, 9, 9)) == [[.resumed(Self.partition, after: .seconds(130))]])
    }

    @Test("Short transactions one after another are not reported")
    func consecutiveTransactionsAreNotReported() {
        let busy = (0..<50).map { ReadingWatch.Observation(position: 9 + $0, lastStable: 9 + $0, end: 20 + $0) }
        #expect(self.watched.isQuiet(busy))
    }

    @Test("A partition that was paused, restored or not checked for long is watched afresh")
    func interruptionsRestartTheClock() {
        #expect(self.watched.isQuiet(Self.observations(12, 7, 9, 9)))
        #expect(self.watched.showNothing() == [])
        #expect(self.watched.isQuiet(Self.observations(12, 7, 9, 9)))
        self.watched.now += .seconds(300)
        #expect(self.watched.isQuiet(Self.observations(12, 7, 9, 9)))
        #expect(self.watched.show(Self.observations(1, 7, 9, 9)).flatMap(\.self).count == 1)
    }

    @Test("A partition that ends before the offset that was read is reported the second time it is seen")
    func shrunkPartitionIsReportedAtSecondCheck() {
        let shrunk = ReadingWatch.Observation(position: 7, lastStable: 2, end: 2)
        #expect(self.watched.show([shrunk, shrunk]) == [[], [.shrunk(Self.partition, shrunk)]])
        #expect(self.watched.show(Self.observations(1, 7, 7, 7)) == [[]])
        #expect(self.watched.show([shrunk]) == [[]])
    }

    @Test("What retention removed before it was read is found, and what ends too early is an error")
    func findsTrimmedAndTruncatedPartitions() throws {
        let partitions = (0..<4).map { TopicPartition("t", $0) }
        let extents = TopicExtents(
            earliest: [partitions[0]: 5, partitions[1]: 5, partitions[2]: 5, partitions[3]: 0],
            ends: [partitions[0]: 9, partitions[1]: 9, partitions[2]: 9, partitions[3]: 9]
        )
        let losses = try extents.losses([partitions[0]: 4, partitions[1]: 5, partitions[2]: nil, partitions[3]: nil])
        #expect(losses.map(\.partition) == [partitions[0], partitions[2]])
        #expect(losses.map(\.read) == [4, nil])
        #expect(losses.map(\.earliest) == [5, 5])
        let error = #expect(throws: LogError.self) { try extents.losses([partitions[3]: 10]) }
        #expect(error?.code == .topicsChanged)
        #expect(error?.message.contains("t[3] was read up to offset 10, but now ends at 9") == true)
    }
}
