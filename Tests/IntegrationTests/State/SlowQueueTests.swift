import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import SQLiteStore
import Synchronization
import Testing

/// Many events of one user behind a slow turn.
@Suite struct SlowQueueTests {
    private static let queued = 1_000

    /// Asks for a text; for one user only after it was released.
    private struct HeldUpHandler: IntentHandler {
        var handling: Handling<AskingIntent> {
            Resolve(by: self.resolveText, \.$text)
            Handle(self.handle)
        }

        let hold: Gate

        func resolveText(for intent: AskingIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            if context.user.id == "slow" { await self.hold.wait() }
            return .needsValue()
        }

        func handle(intent: AskingIntent, context: TurnContext) async throws -> IntentResponse<AskingIntent> {
            IntentResponse(code: .success)
        }
    }

    /// A lane's file that counts its accesses.
    private final class CountedSpill: StateSpill {
        struct Counts {
            var stored: [StateName: Int] = [:]
            var loaded: [StateName: Int] = [:]
        }

        private let spill: SQLiteStateSpill
        private let counts: CountsBox

        init(_ spill: SQLiteStateSpill, _ counts: CountsBox) {
            self.spill = spill
            self.counts = counts
        }

        func positions() async throws -> [Int: KeptPartition] { try await self.spill.positions() }

        func store(_ entries: [SpilledEntry], upTo positions: [Int: KeptPartition], age: Duration) async throws {
            self.counts.value.withLock { counts in
                for entry in entries where entry.value != nil && entry.name.hasPrefix(StateName.queue) {
                    counts.stored[entry.name, default: 0] += 1
                }
            }
            try await self.spill.store(entries, upTo: positions, age: age)
        }

        func load(_ users: [UserID], waiting: [UserID: [StateName]], partition: Int) async throws -> [SpilledEntry] {
            let entries = try await self.spill.load(users, waiting: waiting, partition: partition)
            self.counts.value.withLock { counts in
                for entry in entries where entry.name.hasPrefix(StateName.queue) {
                    counts.loaded[entry.name, default: 0] += 1
                }
            }
            return entries
        }

        func page(partition: Int, after entry: SpilledEntry?, limit: Int) async throws -> [SpilledEntry] {
            try await self.spill.page(partition: partition, after: entry, limit: limit)
        }

        func drop(partition: Int) async throws { try await self.spill.drop(partition: partition) }

        func close() async { await self.spill.close() }

        func close(keeping positions: [Int: KeptPartition]) async throws {
            try await self.spill.close(keeping: positions)
        }
    }

    private final class CountsBox: Sendable {
        let value = Mutex(CountedSpill.Counts())
    }

    private static func request(_ numbers: Range<Int>, of user: UserID, on log: any EventLog) async throws {
        let producer = try await log.makeProducer()
        let records = numbers.map { number in
            let event = Event(
                id: "e\(number)",
                source: "/tests",
                type: .intentRequested,
                time: Timestamp(milliseconds: 0),
                subject: "i\(number)",
                userID: user,
                data: ["intent": ["name": "AskingIntent"], "user": ["id": user.json]]
            )
            return OutgoingRecord(
                topicPartition: TopicPartition(Topic.requests.name(prefix: "intents"), 0),
                key: Array(user.utf8),
                value: event.data.utf8,
                headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
            )
        }
        _ = try await producer.send(records)
        await producer.close()
    }

    @Test(
        "What waits for one user is written once and read once, when its turn comes; others are answered meanwhile",
        .timeLimit(.minutes(2))
    )
    func queuedEventsAreWrittenAndReadOnce() async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        let responses = try await Reading(.responses, 1, of: log)
        let counts = CountsBox()
        let hold = Gate()
        let registry = try IntentRegistry([
            IntentExtension("Held up") { IntentRegistration { HeldUpHandler(hold: hold) } }
        ])
        var wiring = StageWiring(deployment, on: log, registry: registry)
        wiring.logger = WaitingWorker.quietLogger
        wiring.configure = { configuration in
            configuration.settings.queueLimit = 2 * Self.queued
            configuration.makeSpill = { lane in
                let file = directory.file("\(lane).sqlite")
                return CountedSpill(try await SQLiteStateSpill.open(at: file, deployment: deployment.id), counts)
            }
        }
        let worker = wiring.worker(.resolve)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            for first in stride(from: 0, through: Self.queued, by: 100) {
                try await Self.request(first..<min(first + 100, Self.queued + 1), of: "slow", on: log)
                try await Self.request(10_000 + first..<10_001 + first, of: "other \(first)", on: log)
                #expect(try await responses.next(1).map(\.subject) == ["i\(10_000 + first)"], "Nobody else waits.")
            }
            try await eventually { counts.value.withLock { $0.stored.count } >= Self.queued }
            let waiting = counts.value.withLock { $0 }
            #expect(waiting.stored.count == Self.queued && waiting.stored.values.allSatisfy { $0 == 1 })
            #expect(waiting.loaded.isEmpty, "What waits is not looked at.")
            hold.open()
            #expect(try await responses.next(Self.queued + 1).map(\.subject) == (0...Self.queued).map { "i\($0)" })
            worker.stop()
            try await group.waitForAll()
        }
        let all = counts.value.withLock { $0 }
        #expect(all.stored.count == Self.queued && all.stored.values.allSatisfy { $0 == 1 })
        #expect(all.loaded.count <= Self.queued && all.loaded.values.allSatisfy { $0 == 1 }, "Each is read once.")
        await log.close()
    }
}
