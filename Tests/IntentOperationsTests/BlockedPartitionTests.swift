import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentOperations

@Suite("Transactions that block readers, as lag reports them")
struct BlockedPartitionTests {
    private static let held = TopicPartition("intents.requests", 0)
    private static let free = TopicPartition("intents.requests", 1)

    /// A clock on which waiting takes no time, five seconds before the time of the tests.
    private static func clock() -> ManualClock {
        ManualClock(at: Timestamp(milliseconds: 1_794_999_995_000), sleeps: .advancing)
    }

    private static func record(_ topicPartition: TopicPartition, key: String, at milliseconds: Int64? = nil)
        -> OutgoingRecord
    {
        OutgoingRecord(
            topicPartition: topicPartition,
            timestamp: milliseconds,
            key: Array(key.utf8),
            value: Array("{}".utf8),
            headers: [LogHeader(EventHeaderName.source, "/shop\u{1B}[2J")]
        )
    }

    /// A log of two partitions; in the first one a client's transaction is open.
    private static func log() async throws -> (log: InMemoryLog, transaction: InMemoryTransaction) {
        let log = InMemoryLog()
        _ = try await log.createTopics([TopicDescription(name: "intents.requests", partitions: 2)])
        let producer = try await log.makeProducer()
        _ = try await producer.send([Self.record(Self.held, key: "Ann"), Self.record(Self.free, key: "Ann")])
        let transaction = try log.beginTransaction([Self.record(Self.held, key: "Kim", at: 1_794_999_910_000)])
        _ = try await producer.send([Self.record(Self.held, key: "Ann"), Self.record(Self.free, key: "Ann")])
        return (log, transaction)
    }

    @Test("A transaction that stays open is found, with what its first record says, in text and as JSON")
    func findsOpenTransactionWithItsFirstRecord() async throws {
        let (log, _) = try await Self.log()
        let found = try await BlockedPartition.find(
            [Self.held, Self.free],
            longerThan: .seconds(5),
            on: log,
            clock: Self.clock()
        )
        #expect(found.map(\.partition) == [Self.held])
        let transaction = try #require(found.first)
        #expect(transaction.offset == 1)
        #expect(transaction.behind == 2)
        #expect(transaction.age == .seconds(90), "its first record is older than it was looked at")
        #expect(
            transaction.text.hasPrefix(
                "intents.requests[0]: a transaction has been open since offset 1 for 90 s, and blocks 2 offsets; "
                    + "its first record's key is Kim, its source /shop"
            ),
            "\(transaction.text)"
        )
        #expect(!transaction.text.contains("\u{1B}"))
        #expect(transaction.text.contains("describe-producers --topic intents.requests --partition 0"))
        var lag = GroupLag(group: "intents.resolve", partition: Self.held, committed: 1, end: 1, lag: 0)
        let json = lag.json(member: nil, openTransaction: transaction)
        #expect(json["openTransaction"]?["offset"] == 1)
        #expect(json["openTransaction"]?["behind"] == 2)
        #expect(json["openTransaction"]?["seconds"] == 90)
        #expect(json["openTransaction"]?["key"] == "Kim")
        #expect(json["committed"] == 1)
        lag.committed = nil
        #expect(lag.json(member: nil, openTransaction: nil)["openTransaction"] == nil)
        #expect(lag.json(member: nil, openTransaction: nil)["committed"] == .null)
    }

    @Test("A transaction that ends during the check is not reported, and without one nothing waits")
    func ignoresTransactionThatEndsMeanwhile() async throws {
        let (log, transaction) = try await Self.log()
        let hasty = Self.clock()
        hasty.onNow = { try? transaction.commit() }
        let found = try await BlockedPartition.find(
            [Self.held, Self.free],
            longerThan: .seconds(5),
            on: log,
            clock: hasty
        )
        #expect(found.isEmpty)
        let clock = Self.clock()
        let none = try await BlockedPartition.find([Self.held], longerThan: .seconds(5), on: log, clock: clock)
        #expect(none.isEmpty)
        #expect(clock.uptime == .zero)
    }

    @Test("The lag counts what readers can see, and the transaction is reported beside it")
    func lagCountsVisibleRecordsOnly() async throws {
        let (log, transaction) = try await Self.log()
        _ = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let deployment = try await Deployment.load(prefix: "intents", from: log)
        func lag(_ topicPartition: TopicPartition) async throws -> GroupLag? {
            try await GroupLag.all(of: deployment, on: log)
                .first { $0.group == "intents.resolve" && $0.partition == topicPartition }
        }
        #expect(try await lag(Self.held)?.lag == 1)
        #expect(try await lag(Self.free)?.lag == 2)
        try transaction.abort()
        // The aborted record and its marker are nobody's work.
        #expect(try await lag(Self.held)?.lag == 2)
    }
}
