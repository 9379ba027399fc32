import IntentEvents
import IntentKit
import IntentRuntime
import IntentLab

/// A request as the stage `resolve` reads it, with everything that its turn needs.
struct MicroEvent: Sendable {
    /// The record.
    let stored: StoredRecord
    /// The event in it.
    let event: Event
    private let environment: StageEnvironment
    private let table = StateTable()

    /// Creates it.
    init() throws {
        let record = RequestMaker(users: 1_000, partitions: 8).record(7, topic: "intents.requests")
        self.stored = StoredRecord(
            LogRecord(
                topicPartition: record.topicPartition,
                offset: 4_711,
                timestamp: 1_795_000_000_000,
                key: record.key,
                value: record.value,
                headers: record.headers
            ),
            topic: .requests
        )
        self.event = try self.stored.decoded()
        self.environment = StageEnvironment(
            stage: .resolve,
            registry: try BenchmarkIntent.registry(),
            deployment: "0123456789abcdef0123456789abcdef",
            prefix: "intents",
            partitions: 8,
            worker: "worker-0"
        )
    }

    /// The record's bytes.
    var value: [UInt8] { self.stored.value ?? [] }

    /// Generates the turn's ids.
    var identifiers: TurnIdentifiers {
        TurnIdentifiers(
            deployment: self.environment.deployment,
            stage: .resolve,
            position: self.stored.position
        )
    }

    /// Decodes the record and runs its turn, on an empty state.
    func resolve() async throws -> TurnResult {
        let source = self.table.source(user: self.event.userID)
        guard let result = await Turn.run(TurnInput(self.stored), in: self.environment, source: source) else {
            throw BenchmarkError("The turn came to nothing.")
        }
        return result
    }

    /// The journal record of its turn, as the first one of its partition.
    func record() async throws -> TurnRecord {
        TurnRecord(
            try await self.resolve().record,
            generation: 0,
            eventDigest: RecordDigest.of(self.stored.content),
            outputs: [],
            previousDigest: ""
        )
    }
}
