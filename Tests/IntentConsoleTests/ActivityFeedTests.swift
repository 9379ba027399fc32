import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentConsole
@testable import IntentRecords

@Suite("Following the records")
struct ActivityFeedTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let feed: ActivityFeed

    init() async throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
        let operations = try await Samples.operations()
        let clock = ManualClock(at: Samples.start)
        self.feed = ActivityFeed(ConsoleRecords(path: self.path), operations, health: nil, clock: clock)
    }

    /// Records these events, in this order.
    private func record(_ events: [(event: Event, topic: Topic, at: Timestamp)]) async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: "intents")
        let topicPartitions = Set(events.map { TopicPartition($0.topic.name(prefix: "intents"), 0) })
        let claim = try await database.claim(topicPartitions.sorted())
        var next = claim.starts.compactMapValues { $0 }
        let records = events.map { event, topic, time in
            let topicPartition = TopicPartition(topic.name(prefix: "intents"), 0)
            defer { next[topicPartition, default: 0] += 1 }
            return LogRecord(
                topicPartition: topicPartition,
                offset: next[topicPartition, default: 0],
                timestamp: time.milliseconds,
                content: event.content
            )
        }
        _ = try await database.record(records, under: claim)
        await database.close()
    }

    /// Records requests that came so many milliseconds ago.
    private func recordRequests(ago: [Int64]) async throws {
        let event = Event(
            id: "e",
            source: "/tests",
            type: .intentRequested,
            time: Samples.start,
            userID: "ada",
            data: [:]
        )
        try await self.record(ago.map { (event, .requests, Samples.start + -$0) })
    }

    /// The requests that a chart shows.
    private func requests(_ span: ActivitySeries.Span) -> Int {
        // An incomplete step is not shown: read at its end.
        self.feed.snapshot.series.steps(span, now: Samples.start + span.step).reduce(0) { $0 + $1.step.requests }
    }

    @Test("What was recorded before it began is read backwards until a day is covered, and what comes is counted once")
    func readsADay() async throws {
        let (minute, hour): (Int64, Int64) = (60_000, 3_600_000)
        try await self.recordRequests(
            ago: [26 * hour, 25 * hour, 23 * hour, 40 * minute, 10 * minute, 5 * minute, 1 * minute]
        )
        // It reads ten thousand numbers at a time, of which pruning has left few.
        let connection = try DatabaseQueue(path: self.path)
        try await connection.write { try $0.execute(sql: "UPDATE events_kept SET rowid = rowid * 7000 + 3000") }
        try connection.close()
        #expect(await self.feed.poll())
        #expect(self.requests(.day) == 2)
        #expect(!self.feed.snapshot.isWhole)
        var polls = 1
        while await self.feed.poll(), polls < 100 { polls += 1 }
        #expect(polls == 4)
        #expect(self.feed.snapshot.isWhole)
        #expect((self.requests(.day), self.requests(.hour), self.requests(.minutes)) == (5, 4, 3))
        try await self.recordRequests(ago: [0, 0])
        #expect(await !self.feed.poll())
        #expect(await !self.feed.poll())
        #expect((self.requests(.day), self.requests(.hour), self.requests(.minutes)) == (7, 6, 5))
        #expect(self.feed.snapshot.problem == nil)
    }

    @Test("A partition's worker is the one with the last turn, in whatever order they are found")
    func lastWorkers() async throws {
        func turn(_ stage: Stage, _ worker: String, ago: Int64) -> (event: Event, topic: Topic, at: Timestamp) {
            let time = Samples.start + -ago
            let record = TurnRecord(
                TurnDraft(
                    stage: stage,
                    position: RecordPosition(stage.inputTopic, 0, ago),
                    eventID: "e",
                    eventType: "intent.requested",
                    userID: "ada",
                    at: time,
                    attempt: 1,
                    worker: worker,
                    outcome: .ignored
                ),
                generation: 0,
                eventDigest: "",
                outputs: [],
                previousDigest: ""
            )
            return (record.event(id: "\(stage)-\(ago)", source: stage.source), .journal, time)
        }
        // Workers are found in the order of their names.
        try await self.record([
            turn(.resolve, "a", ago: 1_000), turn(.resolve, "b", ago: 2_000), turn(.resolve, "c", ago: 3_000),
            turn(.confirm, "a", ago: 3_000), turn(.confirm, "b", ago: 2_000), turn(.confirm, "c", ago: 1_000),
            turn(.handle, "a", ago: 2_000), turn(.handle, "b", ago: 1_000), turn(.handle, "c", ago: 3_000),
        ])
        while await self.feed.poll() {}
        func workers() -> Set<String> { Set(self.feed.snapshot.workers.map { "\($0.stage) \($0.worker)" }) }
        #expect(workers() == ["resolve a", "confirm c", "handle b"])
        try await self.record([turn(.resolve, "d", ago: 0), turn(.handle, "a", ago: 500)])
        while await self.feed.poll() {}
        #expect(workers() == ["resolve d", "confirm c", "handle a"])
    }
}
