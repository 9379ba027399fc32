#if DEBUG || FUZZING

@testable import IntentEvents
@testable import IntentKit
@testable import IntentRuntime
@testable import IntentLab

/// The three stages as turns alone, fed with what a client may write, and checked meanwhile: no lanes, no log, and a
/// stopped clock.
///
/// Every input begins without state. Only the stores stay the same, since an effect is stored by the position of its
/// request, and positions only increase.
final class FuzzedStages {
    /// The results of the events so far.
    private(set) var tally = Tally()
    private let environments: [Stage: StageEnvironment]
    private let intents: [FuzzedIntents.Shape]
    private var partition = FuzzedPartition()
    private var offset: Int64 = 0

    /// The results of events.
    struct Tally: Equatable {
        /// Clients' events.
        var events = 0
        /// All turns.
        var turns = 0
        /// Clients' events by their result.
        var prompts = 0
        var ends = 0
        var rejections = 0
        var deadLetters = 0
    }

    /// A defect that was found.
    struct Defect: Error, CustomStringConvertible {
        var description: String
    }

    /// Creates the stages with these intents.
    init(_ extensions: [IntentExtension], ledger: any EffectLedger) throws {
        self.intents = FuzzedIntents.shapes(of: extensions)
        let registry = try IntentRegistry(extensions)
        let pairs = Stage.allCases.map { stage in
            let environment = StageEnvironment(
                stage: stage,
                registry: registry,
                ledger: ledger,
                deployment: "0123456789abcdef0123456789abcdef",
                prefix: "intents",
                partitions: 1,
                worker: "fuzz",
                clock: ManualClock(at: Timestamp(milliseconds: 1_795_000_000_000))
            )
            return (stage, environment)
        }
        self.environments = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Feeds one input: one event per line (`FuzzedEvent`), then some that are generated from the wire's own
    /// descriptions, and after them a valid one that must be handled.
    ///
    /// The generated events depend on the input, so a fuzzer that changes the input gets others.
    ///
    /// - Parameters:
    ///   - input: The lines.
    ///   - isThorough: Whether every turn is run again from its journal, and the good event follows.
    /// - Throws: The defect.
    func play(_ input: [UInt8], isThorough: Bool) async throws {
        self.partition = FuzzedPartition()
        for line in input.split(separator: UInt8(ascii: "\n"), maxSplits: 50) {
            try await self.receive(FuzzedEvent(line: line), isThorough: isThorough)
        }
        var maker = EventMaker(seed: FuzzedEvent.seed(of: input))
        maker.users = ["u1", "u2"]
        maker.intents = self.intents
        for _ in 0..<3 {
            let made = maker.event(prompts: self.partition.prompts)
            try await self.receive(FuzzedEvent(made.record), isThorough: isThorough)
        }
        guard isThorough else { return }
        let user = self.partition.lastUser ?? "u1"
        let ends = self.tally.ends
        try await self.receive(.good(user: user), isThorough: true)
        guard self.tally.ends == ends + 1 else { throw Defect(description: "a good event of \(user) is not handled") }
    }

    private func receive(_ event: FuzzedEvent, isThorough: Bool) async throws {
        self.tally.events += 1
        self.offset += 1
        let record = event.record(offset: self.offset)
        let answersBefore = self.partition.answers
        let stored = StoredRecord(record, topic: .requests)
        let result = try await self.turn(.resolve, stored, isThorough: isThorough)
        var steps = 0
        while let (stage, next) = self.partition.next() {
            steps += 1
            guard steps < 200 else { throw Defect(description: "\(stored.position) leads to turns without end") }
            _ = try await self.turn(stage, next, isThorough: isThorough)
        }
        try self.partition.checkOwners()
        if self.partition.answers == answersBefore, !FuzzedEvent.maySayNothing(result) {
            throw Defect(description: "\(stored.position) is answered with nothing: \(result.record)")
        }
    }

    private func turn(_ stage: Stage, _ stored: StoredRecord, isThorough: Bool) async throws -> TurnResult {
        guard let environment = self.environments[stage] else { throw Defect(description: "no stage \(stage)") }
        var input = TurnInput(stored).namingUser(in: environment)
        self.partition.lastUser = input.userID.isEmpty ? self.partition.lastUser : input.userID
        let state = self.partition.state(of: stage)
        while true {
            self.tally.turns += 1
            let source = state.source(user: input.userID)
            guard let result = await Turn.run(input, in: environment, source: source) else {
                throw Defect(description: "the turn of \(stored.position) at \(stage) comes to nothing")
            }
            if result.retryAt != nil {
                input = TurnInput(stored, attempt: input.attempt + 1, firstTriedAt: result.record.at)
                continue
            }
            let records = self.partition.commit(result, environment)
            for record in records { try self.record(record) }
            if isThorough, let journal = records.last { try await self.replay(journal, stored, environment) }
            return result
        }
    }

    private func record(_ record: OutgoingRecord) throws {
        guard let topic = Topic(name: record.topicPartition.topic, prefix: "intents") else { return }
        let limit = topic == .requests ? TopicPlan.maximumRequestBytes : TopicPlan.maximumRecordBytes
        guard record.batchSize <= limit else {
            throw Defect(description: "\(topic) does not take a record of \(record.batchSize) bytes")
        }
        switch topic {
        case .responses:
            let type = record.headers.first { $0.name == EventHeaderName.type }?.text
            switch type.flatMap(EventType.init(rawValue:)) {
            case .promptIssued:
                self.tally.prompts += 1
                let data = record.value.flatMap { try? JSONValue(parsing: $0) }
                if let id = data?["promptId"]?.string, let user = data?["user"]?["id"]?.string {
                    self.partition.prompts.append((id, user))
                }
            case .eventRejected: self.tally.rejections += 1
            case .intentResponded: if try self.partition.recordResponse(record) { self.tally.ends += 1 }
            default: break
            }
        case .deadLetters: self.tally.deadLetters += 1
        default: break
        }
        if let problem = self.partition.problem(with: record, of: topic) {
            throw Defect(description: "\(topic): \(problem)")
        }
    }

    private func replay(
        _ outgoing: OutgoingRecord,
        _ stored: StoredRecord,
        _ environment: StageEnvironment
    ) async throws {
        let journaled = LogRecord(
            topicPartition: outgoing.topicPartition,
            offset: 0,
            timestamp: 0,
            key: outgoing.key,
            value: outgoing.value,
            headers: outgoing.headers
        )
        guard let record = TurnRecord(journaled) else {
            throw Defect(description: "the journal of \(stored.position) cannot be read")
        }
        let result = await TurnReplay(environment).replay(journaled, record, event: stored)
        guard result.isMatch else {
            throw Defect(description: "\(stored.position) replays to something else:\n\(record)\n\(result)")
        }
    }
}
#endif
