import InMemoryLog
import IntentAudit
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime

/// The three stages on a log in memory with one partition, run turn by turn; only the test sets their clock.
///
/// Events, responses and the journal are written as workers write them, without state and digests. So a history with
/// retries, hanging handlers and time-outs takes no time, and all its times are known to the millisecond.
final class SteppedPipeline {
    private struct Memory: StateSource {
        var entries: [StateName: StateEntry] = [:]

        func entry(_ name: StateName) -> StateEntry? { self.entries[name] }
        func names(prefix: StateFamily) -> [StateName] { self.entries.keys.filter { $0.hasPrefix(prefix) }.sorted() }
    }

    /// An interaction that waits for an answer.
    private struct Waiting {
        var stage: Stage
        var user: UserID
        var name: StateName
        var interaction: Interaction
    }

    private struct NothingWaits: Error {}
    private struct NoResult: Error {}

    let log: InMemoryLog
    let deployment: Deployment
    private let settings: RuntimeSettings
    private let environment: StageEnvironment
    private let clock: ManualClock
    private var memory: [Stage: [UserID: Memory]] = [:]
    private var sent = 0
    /// Whether the handlers of stage `handle` hang: their turns are parked, and never end.
    var hangs = false

    /// The stages' clock.
    var now: Timestamp {
        get { self.clock.now }
        set { self.clock.advance(by: .milliseconds(newValue - self.clock.now)) }
    }

    /// Creates the topics.
    init(_ registrations: [IntentRegistration], settings: RuntimeSettings = RuntimeSettings()) async throws {
        let log = InMemoryLog()
        let clock = ManualClock(at: Timestamp(milliseconds: 1_790_000_000_000), sleeps: .advancing)
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 1), on: log)
        self.log = log
        self.clock = clock
        self.deployment = deployment
        self.settings = settings
        self.environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([IntentExtension("Tests") { registrations }]),
            settings: settings,
            ledger: InMemoryLedger(),
            deployment: deployment.id,
            prefix: deployment.prefix,
            partitions: 1,
            worker: "worker",
            clock: clock
        )
    }

    // MARK: What clients and time do

    /// Sends a client's event, and runs the turns that follow from it.
    func send(
        _ type: EventType,
        about interaction: InteractionID? = nil,
        user: UserID = "ada",
        _ data: JSONObject = [:]
    ) async throws {
        var data = data
        data["user"] = ["id": user.json]
        self.sent += 1
        let event = Event(
            id: "e\(self.sent)",
            source: "/tests",
            type: type,
            time: self.now,
            subject: interaction,
            userID: user,
            data: .object(data)
        )
        try await self.deliver(event.content, to: .requests, for: .resolve)
    }

    /// Asks for an intent.
    func request(_ intent: String, _ id: InteractionID, _ parameters: JSONObject = [:]) async throws {
        let intent: JSONValue = ["name": .string(intent), "parameters": .object(parameters)]
        try await self.send(.intentRequested, about: id, ["intent": intent])
    }

    /// Answers the prompt that is open.
    func answer(_ answer: JSONObject) async throws {
        guard let open = self.waiting, let prompt = open.interaction.prompt else { throw NothingWaits() }
        var data = answer
        data["promptId"] = prompt.id(interaction: open.interaction.id, stage: open.stage).json
        try await self.send(.promptAnswered, user: open.user, data)
    }

    /// Lets the time of the open prompt pass.
    func expire() async throws {
        guard let open = self.waiting,
            let timer = open.interaction.timers(name: open.name, user: open.user).first
        else { throw NothingWaits() }
        self.now = timer.deadline
        guard let draft = timer.event(of: open.interaction, stage: open.stage, now: self.now)?.draft else {
            throw NothingWaits()
        }
        let event = try Self.event(draft, id: "timer", from: open.stage)
        try await self.deliver(event.content, to: .signals, for: open.stage)
    }

    /// Lets the parked turn take so long that its user is notified.
    func notify() async throws {
        for (user, memory) in self.memory[.handle] ?? [:] {
            guard let entry = memory.entries[StateName.parked], let parked = ParkedTurn(text: entry.text),
                let deadline = parked.inProgressAt
            else { continue }
            self.now = deadline
            let event = Event(
                id: "notice",
                source: Stage.handle.source,
                type: .timerFired,
                time: deadline,
                subject: parked.interactionID,
                userID: user,
                stage: .handle,
                request: nil,
                passedThrough: [:],
                data: [
                    "attempt": .integer(Int64(parked.attempt)), "deadline": .string(deadline.description),
                    "position": .string(parked.event.position.description), "user": ["id": user.json],
                    "what": .string(TimerKind.inProgress.rawValue),
                ]
            )
            return try await self.deliver(event.content, to: .signals, for: .handle)
        }
        throw NothingWaits()
    }

    private var waiting: Waiting? {
        for (stage, users) in self.memory {
            for (user, memory) in users {
                for (name, entry) in memory.entries where name.hasPrefix(StateName.interactions) {
                    guard let interaction = Interaction(text: entry.text) else { continue }
                    return Waiting(stage: stage, user: user, name: name, interaction: interaction)
                }
            }
        }
        return nil
    }

    // MARK: What stages do

    private func deliver(_ content: RecordContent, to topic: Topic, for stage: Stage) async throws {
        let event = try await self.write(content, to: topic)
        if self.hangs, try event.decoded().knownType == .intentConfirmed { return try await self.park(event) }
        var input = TurnInput(event)
        while true {
            let source = self.memory[stage]?[input.userID] ?? Memory()
            guard let result = await Turn.run(input, in: self.environment.with(stage: stage), source: source) else {
                throw NoResult()
            }
            try await self.commit(result, stage)
            guard let retryAt = result.retryAt else { return }
            self.now = retryAt
            let began = input.firstTriedAt ?? result.record.at
            input = TurnInput(event, attempt: input.attempt + 1, firstTriedAt: began)
        }
    }

    private func commit(_ result: TurnResult, _ stage: Stage) async throws {
        for (name, entry) in result.writes {
            self.memory[stage, default: [:]][result.record.userID, default: Memory()].entries[name] = entry
        }
        let record = TurnRecord(
            result.record,
            generation: result.record.attempt - 1,
            eventDigest: "",
            outputs: result.outputs.map { TurnRecord.Output(target: $0.topic.rawValue, digest: "") },
            previousDigest: ""
        )
        let ids = TurnIdentifiers(deployment: self.deployment.id, stage: stage, position: record.position)
        var next: [(content: RecordContent, topic: Topic, stage: Stage)] = []
        for (ordinal, output) in result.outputs.enumerated() {
            switch output {
            case .event(let topic, let draft):
                let id = ids.id(generation: record.generation, ordinal: String(ordinal))
                let content = try Self.event(draft, id: id, from: stage).content
                let reader = topic == .signals ? draft.stage : Self.reader(of: topic)
                if let reader {
                    next.append((content, topic, reader))
                } else {
                    try await self.write(content, to: topic)
                }
            case .forward(let topic, _, let stage):
                guard let reader = stage ?? Self.reader(of: topic) else { continue }
                next.append((result.stored.content, topic, reader))
            case .addressed, .deadLetter: break
            }
        }
        try await self.journal(record)
        for (content, topic, stage) in next { try await self.deliver(content, to: topic, for: stage) }
    }

    /// Parks the turn that handles an interaction: the journal says only that it began.
    private func park(_ event: StoredRecord) async throws {
        let content = try event.decoded()
        var note = TurnDraft(
            stage: .handle,
            position: event.position,
            eventID: content.id,
            eventType: content.type,
            userID: content.userID,
            at: self.now,
            attempt: 1,
            worker: "worker",
            outcome: .parked
        )
        note.interactionID = content.subject
        note.request = content.request
        var turn = ParkedTurn(
            event: event,
            interactionID: content.subject,
            startedAt: self.now,
            timeoutAt: self.now + self.settings.handlerTimeout.milliseconds
        )
        turn.inProgressAt = self.now + self.settings.inProgressAfter.milliseconds
        self.memory[.handle, default: [:]][content.userID, default: Memory()].entries[StateName.parked] =
            StateEntry(turn)
        try await self.journal(
            TurnRecord(note, generation: 0, eventDigest: "", outputs: [], previousDigest: "")
        )
    }

    private func journal(_ record: TurnRecord) async throws {
        let id = "\(record.stage)/\(record.position)/\(record.attempt)"
        try await self.write(record.event(id: id, source: record.stage.source).content, to: .journal)
    }

    @discardableResult
    private func write(_ content: RecordContent, to topic: Topic) async throws -> StoredRecord {
        let topicPartition = TopicPartition(topic.name(prefix: self.deployment.prefix), 0)
        let time = self.now.milliseconds
        let offsets = try await self.log.write([
            OutgoingRecord(topicPartition: topicPartition, timestamp: time, content: content)
        ])
        let record = LogRecord(topicPartition: topicPartition, offset: offsets[0], timestamp: time, content: content)
        return StoredRecord(record, topic: topic)
    }

    private static func reader(of topic: Topic) -> Stage? { Stage.allCases.first { $0.inputTopic == topic } }

    private static func event(_ draft: EventDraft, id: String, from stage: Stage) throws -> Event {
        Event(
            id: id,
            source: stage.source,
            type: draft.type,
            time: draft.time,
            subject: draft.subject,
            userID: draft.userID,
            stage: draft.stage,
            request: draft.request,
            passedThrough: draft.passedThrough,
            data: try JSONValue(parsing: draft.value)
        )
    }

    // MARK: Playing it again

    /// Plays everything with today's handlers and settings.
    ///
    /// - Parameters:
    ///   - registrations: Today's handlers.
    ///   - settings: Today's settings; nil for those that it was recorded with.
    ///   - log: Another way to read the topics; nil for the log itself.
    ///   - selection: What is played.
    ///   - timeout: The time that a handler may take.
    ///   - progress: Called with the number of journal records that have been read, and their total.
    /// - Returns: The interactions that would differ.
    /// - Throws: `AuditError`; `LogError`.
    func shadow(
        _ registrations: [IntentRegistration],
        settings: RuntimeSettings? = nil,
        on log: (any EventLog)? = nil,
        _ selection: ReplaySelection = ReplaySelection(),
        timeout: Duration = .seconds(60),
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) async throws -> ShadowReport {
        let environment = StageEnvironment(
            stage: .resolve,
            registry: try IntentRegistry([IntentExtension("Tests") { registrations }]),
            settings: settings ?? self.settings,
            deployment: self.deployment.id,
            prefix: self.deployment.prefix,
            partitions: 1,
            worker: "shadow"
        )
        return try await ShadowReplayer(
            log: log ?? self.log,
            environment: environment,
            selection: selection,
            parallelism: 1,
            timeout: timeout
        )
        .run(progress: progress)
    }
}
