import InMemoryLog
import IntentEvents
import IntentKit
import IntentRuntime
import IntentStore
import Logging
import Synchronization
import Testing

/// Many interactions that wait for an answer which never comes.
@Suite struct ExpiringPromptsTests {
    private static let count = 10_000
    private static let partitions = 4

    @Test("R13, R24: ten thousand prompts expire on time, once each, whoever works when it is time")
    func expireOnTime() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: Self.partitions), on: log)
        let clock = ShiftedClock()
        let responses = try await Reading(.responses, of: log)
        let timeout = RuntimeSettings().promptTimeout

        // Three workers, one after another: the first asks, the second only waits, the third finds the time is up.
        try await Self.work(deployment, log, clock, directory) {
            try await Self.request(Self.count, on: log)
            let prompts = try await responses.next(Self.count)
            #expect(prompts.allSatisfy { $0.type == EventType.promptIssued.rawValue })
        }
        clock.advance(by: timeout - .seconds(60))
        try await Self.work(deployment, log, clock, directory) {
            // A request of its own shows that the worker has its partitions and has looked at its deadlines.
            try await Self.request(1, from: Self.count, on: log)
            let later = try await responses.next(1)
            #expect(later.map(\.subject) == ["i\(Self.count)"])
        }
        #expect(try await responses.rest().isEmpty)
        clock.advance(by: .seconds(61))
        let due = clock.now
        try await Self.work(deployment, log, clock, directory) {
            let ends = try await responses.next(Self.count)
            #expect(ends.allSatisfy { $0.data["endReason"] == "timeout" && $0.data["terminal"] == true })
            #expect(Set(ends.map(\.subject)).count == Self.count)
            #expect(!ends.contains { $0.subject == "i\(Self.count)" }, "It has four minutes left.")
            let last = try #require(ends.map(\.time).max())
            #expect(last - due < 60_000)
        }
        #expect(try await responses.rest().isEmpty, "Something came twice.")
        await log.close()
    }

    /// Runs a worker of the first stage for as long as the body takes; it keeps next to nothing in memory.
    private static func work(
        _ deployment: Deployment,
        _ log: InMemoryLog,
        _ clock: ShiftedClock,
        _ directory: TemporaryDirectory,
        _ body: () async throws -> Void
    ) async throws {
        var configuration = StageWorker.Configuration(stage: .resolve, name: "worker")
        configuration.lanes = 2
        configuration.settings.stateMemory = 64 << 10
        configuration.settings.stateRetention = .zero
        configuration.makeSpill = { lane in try await SQLiteStateSpill.open(at: directory.file("\(lane).sqlite")) }
        var logger = Logger(label: "intentd.test")
        logger.logLevel = .warning
        let worker = StageWorker(
            configuration,
            deployment: deployment,
            log: log,
            registry: try IntentRegistry([IntentExtension("Waiting") { IntentRegistration { WaitingHandler() } }]),
            ledger: nil,
            clock: clock,
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            try await body()
            worker.stop()
            try await group.waitForAll()
        }
    }

    /// Asks for as many intents, each for a user of its own.
    private static func request(_ count: Int, from first: Int = 0, on log: InMemoryLog) async throws {
        let producer = try await log.makeProducer()
        let records = (first..<first + count)
            .map { number in
                let user = "user \(number)"
                let event = Event(
                    id: "e\(number)",
                    source: "/tests",
                    type: .intentRequested,
                    time: Timestamp(milliseconds: 0),
                    subject: "i\(number)",
                    userID: user,
                    data: ["intent": ["name": "WaitingIntent"], "user": ["id": .string(user)]]
                )
                let partition = HomePartition.of(user: user, count: Self.partitions)
                return OutgoingRecord(
                    topicPartition: TopicPartition(Topic.requests.name(prefix: "intents"), partition),
                    key: Array(user.utf8),
                    value: event.data.utf8,
                    headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
                )
            }
        _ = try await producer.send(records)
        await producer.close()
    }
}

/// Needs a value that nobody gives.
private struct WaitingIntent: Intent {
    enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
    }

    var text: String?
    static let parameters: [IntentParameter<Self>] = [.init("text", \.text)]
}

private struct WaitingHandler: IntentHandler {
    static let resolvers: [ParameterResolver<Self>] = [.init(\.text, using: Self.resolveText)]

    func resolveText(for intent: WaitingIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        intent.text.map { .success(with: $0) } ?? .needsValue()
    }

    func handle(intent: WaitingIntent, context: TurnContext) async throws -> IntentResponse<WaitingIntent> {
        IntentResponse(code: .success)
    }
}

/// The machine's clock, some time later.
private final class ShiftedClock: RuntimeClock {
    private let shift = Mutex(Duration.zero)

    var now: Timestamp { SystemRuntimeClock().now + self.shift.withLock(\.milliseconds) }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    func advance(by duration: Duration) { self.shift.withLock { $0 += duration } }
}

/// Reads a topic on and on.
private final class Reading: Sendable {
    private let log: InMemoryLog
    private let topic: Topic
    private let partitions: [TopicPartition]
    private let reader: any LogReader
    private let positions = Mutex<[TopicPartition: Int64]>([:])

    init(_ topic: Topic, of log: InMemoryLog) async throws {
        self.log = log
        self.topic = topic
        self.partitions = (0..<4).map { TopicPartition(topic.name(prefix: "intents"), $0) }
        self.reader = try await log.makeReader(from: Dictionary(uniqueKeysWithValues: self.partitions.map { ($0, 0) }))
    }

    /// The next events, as soon as there are so many.
    func next(_ count: Int) async throws -> [Event] {
        var events: [Event] = []
        while events.count < count { events += try await self.read(count - events.count) }
        return events
    }

    /// What has come since.
    func rest() async throws -> [Event] {
        var open = try await self.log.offsets(self.partitions, at: .end)
            .filter { $0.value > self.positions.withLock { $0 }[$0.key] ?? 0 }
        var events: [Event] = []
        while !open.isEmpty {
            events += try await self.read(1_000)
            let positions = self.positions.withLock { $0 }
            open = open.filter { $0.value > positions[$0.key] ?? 0 }
        }
        return events
    }

    private func read(_ count: Int) async throws -> [Event] {
        let batch = try await self.reader.next(maxRecords: count, timeout: .seconds(30))
        self.positions.withLock { $0.merge(batch.positions) { $1 } }
        return try batch.records.map { try StoredRecord($0, topic: self.topic).decoded() }
    }
}
