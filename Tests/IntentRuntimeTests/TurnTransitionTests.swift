import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Each test names the transition of a turn that it is about.
@Suite("What a turn comes to", .timeLimit(.minutes(1)))
struct TurnTransitionTests {
    private static let start = Timestamp(milliseconds: 0)

    /// A clock that stands still.
    private struct StillClock: RuntimeClock {
        var now: Timestamp { Timestamp(milliseconds: 0) }

        func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
    }

    private static func interaction(_ parameters: JSONObject = [:], prompt: PromptKind? = nil) -> Interaction {
        var interaction = Interaction.greeting(parameters)
        interaction.prompt = prompt.map { Prompt(number: 1, kind: $0, expiresAt: Timestamp(milliseconds: 1_000)) }
        return interaction
    }

    private static func stored(
        _ type: EventType,
        _ data: JSONValue,
        on topic: Topic,
        partition: Int = 0,
        offset: Int64 = 7
    ) -> StoredRecord {
        let event = Event(
            id: "e1",
            source: "/tests",
            type: type,
            time: Self.start,
            subject: "i1",
            userID: "u1",
            request: type.isInbound ? nil : "0:7",
            data: data
        )
        return event.stored(on: topic, partition: partition, offset: offset)
    }

    /// A request for a greeting.
    private static func request(_ parameters: JSONObject = [:], partition: Int = 0) -> StoredRecord {
        let data: JSONValue = [
            "intent": ["name": "GreetIntent", "parameters": .object(parameters)], "user": ["id": "u1"],
        ]
        return Self.stored(.intentRequested, data, on: .requests, partition: partition)
    }

    /// An interaction that is to be handled.
    private static func confirmed(_ parameters: JSONObject = [:]) -> StoredRecord {
        let data: JSONValue = ["interaction": Self.interaction(parameters).json, "user": ["id": "u1"]]
        return Self.stored(.intentConfirmed, data, on: .confirmed)
    }

    /// Runs a turn of a stage; nil when it comes to nothing.
    private static func run(
        _ stored: StoredRecord,
        in stage: Stage,
        _ registrations: [IntentRegistration] = [IntentRegistration { GreetHandler() }],
        _ table: StateTable = StateTable(),
        partitions: Int = 1,
        ledger: (any EffectLedger)? = nil,
        behaviour: Int? = nil
    ) async throws -> TurnResult? {
        let environment =
            try StageEnvironment.tests(
                stage,
                registrations,
                ledger: ledger,
                partitions: partitions,
                clock: StillClock()
            )
            .with(behaviour: behaviour)
        return await Turn.run(TurnInput(stored), in: environment, source: table.source(user: "u1"))
    }

    /// The types of the events that a turn writes.
    private static func events(_ result: TurnResult) -> [EventType] {
        result.outputs.compactMap { if case .event(_, let draft) = $0 { draft.type } else { nil } }
    }

    /// The entry of that name that a turn writes; nil when it writes none, or removes it.
    private static func written<Form: StateForm>(_ name: StateName, by result: TurnResult, _: Form.Type) -> Form? {
        (result.writes[name] ?? nil)?.form(Form.self)
    }

    // MARK: Begun

    @Test("begun → without an interaction: forwarded to its home partition, unchanged, with nothing read")
    func forwardedHome() async throws {
        let home = HomePartition.of(user: "u1", count: 4)
        let elsewhere = Self.request(partition: (home + 1) % 4)
        let result = try #require(try await Self.run(elsewhere, in: .resolve, partitions: 4))
        #expect(result.record.outcome == .forwarded)
        #expect(result.outputs == [.forward(.requests, partition: home, stage: nil)])
        #expect(result.writes.isEmpty && result.record.before.isEmpty)
    }

    @Test("begun → without an interaction: rejected, with the reason to its sender")
    func rejected() async throws {
        let answer = Self.stored(.promptAnswered, ["action": "accept", "user": ["id": "u1"]], on: .requests)
        let result = try #require(try await Self.run(answer, in: .resolve))
        #expect(result.record.outcome == .rejected)
        #expect(Self.events(result) == [.eventRejected])
        #expect(result.writes.isEmpty && result.record.interactionID == nil)
    }

    @Test("begun → without an interaction: forwarded to the later stage that asked")
    func forwardedOn() async throws {
        let data: JSONValue = ["action": "accept", "promptId": "i1/c/1", "user": ["id": "u1"]]
        let answer = Self.stored(.promptAnswered, data, on: .requests)
        let result = try #require(try await Self.run(answer, in: .resolve))
        #expect(result.record.outcome == .forwarded)
        #expect(result.outputs == [.forward(.resolved, partition: 0, stage: nil)])
    }

    @Test("begun → without an interaction: buried, when the record is no event")
    func buried() async throws {
        let record = LogRecord(
            topicPartition: TopicPartition("intents.requests", 0),
            offset: 7,
            timestamp: 0,
            key: Array("u1".utf8),
            value: Array("{".utf8),
            headers: []
        )
        let result = try #require(try await Self.run(StoredRecord(record, topic: .requests), in: .resolve))
        #expect(result.record.outcome == .deadLettered)
        #expect(result.outputs.contains { $0.topic == .deadLetters })
        #expect(result.writes.isEmpty)
    }

    // MARK: Ended before it is handled again

    /// Why a turn that was run before ends its interaction now, without its handler.
    enum Overdue: String, CaseIterable {
        case unsupportedIntent
        case tooManyAttempts
        case timeout
        case tooOld

        var reason: String { self == .tooOld ? "timeout" : self.rawValue }
    }

    /// Runs the turn of an interaction that has made an effect before, and returns what its terminal response says.
    private static func end(_ why: Overdue, behaviour: Int?) async throws -> JSONValue {
        let ledger = InMemoryLedger()
        _ = try await ledger.perform(EffectKey(request: "0:7", name: "flight", ordinal: 0)) { _ in .null }
        var interaction = Self.interaction(["name": "Ann"])
        switch why {
        case .unsupportedIntent: break
        case .tooManyAttempts: interaction.turns = RuntimeSettings().maxTurns
        case .timeout: interaction.expiresAt = Self.start
        case .tooOld:
            interaction.startedAt = Timestamp(milliseconds: -RuntimeSettings().parkedMaxAge.milliseconds)
        }
        let confirmed = Self.stored(
            .intentConfirmed,
            ["interaction": interaction.json, "user": ["id": "u1"]],
            on: .confirmed
        )
        let result = try #require(
            try await Self.run(
                confirmed,
                in: .handle,
                why == .unsupportedIntent ? [] : [IntentRegistration { GreetHandler() }],
                ledger: ledger,
                behaviour: behaviour
            )
        )
        #expect(result.record.outcome == .ended)
        let isClosed = why != .unsupportedIntent || behaviour == nil
        #expect(ledger.closed == (isClosed ? ["0:7"] : []))
        for case .event(.responses, let draft) in result.outputs { return try JSONValue(parsing: draft.value) }
        return .null
    }

    @Test(
        "begun → acting → ended: the ledger's effects are named, where the handler does not run",
        arguments: Overdue.allCases
    )
    func namesHeldEffects(_ why: Overdue) async throws {
        let data = try await Self.end(why, behaviour: nil)
        #expect(data["endReason"] == .string(why.reason))
        #expect(data["effects"] == ["flight"])
        #expect(data["effectsIncomplete"] == nil)
    }

    @Test("R58: a turn of behaviour 4 names its own effects alone, as it did", arguments: Overdue.allCases)
    func namesOwnEffects(_ why: Overdue) async throws {
        let data = try await Self.end(why, behaviour: 4)
        #expect(data["endReason"] == .string(why.reason))
        #expect(data["effects"] == [])
        #expect(data["effectsIncomplete"] == nil)
    }

    // MARK: Acting

    @Test("begun → acting → prompted: the interaction is kept with its prompt")
    func prompted() async throws {
        let result = try #require(try await Self.run(Self.request(), in: .resolve))
        #expect(result.record.outcome == .prompted)
        #expect(Self.events(result) == [.promptIssued])
        #expect(Self.written(.interaction("0:7"), by: result, Interaction.self)?.prompt?.kind == .needsValue)
        #expect(Self.written(.known("i1"), by: result, KnownInteraction.self)?.whereabouts == .here)
    }

    @Test("begun → acting → passed on: the next stage owns it, and only its id is remembered")
    func passedOn() async throws {
        let result = try #require(try await Self.run(Self.request(["name": "Jeff"]), in: .resolve))
        #expect(result.record.outcome == .passed)
        #expect(Self.events(result) == [.intentResolved])
        #expect(result.outputs.map(\.topic) == [.resolved])
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(Self.written(.known("i1"), by: result, KnownInteraction.self)?.whereabouts == .passed)
    }

    @Test("begun → acting → sent back: a correction at the confirmation goes to resolve")
    func sentBack() async throws {
        let table = StateTable()
        let interaction = Self.interaction(["name": "Jeff"], prompt: .intentConfirmation)
        table.set(.interaction("0:7"), user: "u1", entry: StateEntry(interaction))
        let known = KnownInteraction(interaction, at: Self.start, whereabouts: .here)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        let data: JSONValue = [
            "action": "decline", "corrections": ["name": "Ann"], "promptId": "i1/c/1", "user": ["id": "u1"],
        ]
        let answer = Self.stored(.promptAnswered, data, on: .resolved)
        let registrations = [IntentRegistration { GreetHandler() }]
        let result = try #require(try await Self.run(answer, in: .confirm, registrations, table))
        #expect(result.record.outcome == .returned)
        #expect(result.outputs.map(\.topic) == [.signals])
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(Self.written(.known("i1"), by: result, KnownInteraction.self)?.whereabouts == .returned)
    }

    @Test("begun → acting → reported: the app finishes it, and it stays here until the app says so")
    func reported() async throws {
        var handler = ProbeHandler()
        handler.handle = { _, _ in .init(code: .inProgress) }
        let registrations = [IntentRegistration { handler }]
        var interaction = Self.interaction()
        interaction.intent = IntentSnapshot(name: "ProbeIntent")
        let data: JSONValue = ["interaction": interaction.json, "user": ["id": "u1"]]
        let event = Self.stored(.intentConfirmed, data, on: .confirmed)
        let result = try #require(try await Self.run(event, in: .handle, registrations))
        #expect(result.record.outcome == .reported && result.end == nil)
        #expect(Self.events(result).contains(.intentResponded))
        #expect(Self.written(.interaction("0:7"), by: result, Interaction.self)?.appDeadline != nil)
    }

    @Test("begun → acting → ended: one terminal response, and only its id is remembered")
    func ended() async throws {
        let result = try #require(try await Self.run(Self.confirmed(["name": "Jeff"]), in: .handle))
        #expect(result.record.outcome == .ended && result.end?.reason == .nominal)
        #expect(Self.events(result) == [.intentResponded])
        #expect(result.writes[.interaction("0:7")] == .some(nil))
        #expect(Self.written(.known("i1"), by: result, KnownInteraction.self)?.whereabouts == .ended)
    }

    // MARK: Repeated

    /// The state after a request that is not here any more, with a repetition of it that waits to be run.
    private static func withRepetition(_ whereabouts: KnownInteraction.Whereabouts) -> (StateTable, ParkedTurn) {
        let table = StateTable()
        let known = KnownInteraction(Self.interaction(), at: Self.start, whereabouts: whereabouts)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        let data: JSONValue = ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        let parked = ParkedTurn(
            event: Self.stored(.intentRequested, data, on: .requests, offset: 8),
            interactionID: "i1",
            startedAt: Self.start,
            timeoutAt: Self.start
        )
        table.set(.parked, user: "u1", entry: StateEntry(parked))
        return (table, parked)
    }

    @Test("R8, R9: a cancellation beside a repetition that waits is about the interaction itself, wherever that is")
    func cancelledBesideRepetition() async throws {
        let cancellation = Self.stored(.interactionCancelled, ["user": ["id": "u1"]], on: .requests, offset: 9)
        let registrations = [IntentRegistration { GreetHandler() }]
        for (whereabouts, outcome) in [(.passed, .forwarded), (.ended, .rejected)]
            as [(KnownInteraction.Whereabouts, TurnOutcome)]
        {
            let (table, _) = Self.withRepetition(whereabouts)
            let result = try #require(try await Self.run(cancellation, in: .resolve, registrations, table))
            #expect(result.record.outcome == outcome)
            #expect(!Self.events(result).contains(.intentResponded))
            #expect(result.writes[.parked] == nil && !result.endsParked)
        }
    }

    @Test("R8, R9: a repetition that waits for long ends nothing, and goes on waiting")
    func timeoutOfRepetition() async throws {
        let (table, parked) = Self.withRepetition(.ended)
        let data: JSONValue = [
            "attempt": 1, "deadline": .string("\(parked.timeoutAt)"), "position": .string("\(parked.event.position)"),
            "user": ["id": "u1"], "what": "timeout",
        ]
        let timer = Self.stored(.timerFired, data, on: .signals, offset: 9)
        let registrations = [IntentRegistration { GreetHandler() }]
        let result = try #require(try await Self.run(timer, in: .resolve, registrations, table))
        #expect(result.record.outcome == .parked && result.end == nil)
        #expect(result.outputs.isEmpty && !result.endsParked)
        let waiting = try #require(Self.written(.parked, by: result, ParkedTurn.self))
        #expect(waiting.event == parked.event && waiting.timeoutAt > parked.timeoutAt)
    }

    // MARK: Failures

    @Test("acting → failed with a transient error → tried again later: nothing else is written (R35)")
    func triedAgain() async throws {
        let registrations = [IntentRegistration { FailingHandler() }]
        let result = try #require(
            try await Self.run(Self.confirmed(["name": "passes"]), in: .handle, registrations)
        )
        #expect(result.record.outcome == .parked)
        #expect(result.retryAt.map { $0 > Self.start } ?? false)
        #expect(result.writes.isEmpty && result.outputs.isEmpty && result.end == nil)
    }

    @Test("acting → failed for good → ended with error, and its event goes to dead letters (R35)")
    func failed() async throws {
        let registrations = [IntentRegistration { FailingHandler() }]
        let result = try #require(
            try await Self.run(Self.confirmed(["name": "stays"]), in: .handle, registrations)
        )
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.retryAt == nil && result.failure?.isFinal == true)
        #expect(result.outputs.map(\.topic).contains(.responses))
        #expect(result.outputs.contains { if case .deadLetter("handlerFailed", _) = $0 { true } else { false } })
        #expect(Self.written(.known("i1"), by: result, KnownInteraction.self)?.whereabouts == .ended)
    }

    /// Reads a text of that size from outside.
    private struct CuriousHandler: IntentHandler {
        let count: Int

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                _ = try await context.run("look") { String(repeating: "x", count: self.count) }
                return self.greeting(intent)
            }
        }
    }

    @Test("acting → larger than the topics take → ended with error, without its reads (R47)")
    func withoutReads() async throws {
        let registrations = [IntentRegistration { CuriousHandler(count: RecordLimits.value) }]
        let result = try #require(try await Self.run(Self.confirmed(["name": "Jeff"]), in: .handle, registrations))
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.record.isTruncated && result.record.reads.isEmpty)
        #expect(result.record.intentName == "GreetIntent" && result.fits)
        let response = try #require(result.outputs.lazy.compactMap(Self.data).first)
        #expect(response["intent"]?["parameters"] == ["name": "Jeff"])
    }

    @Test("acting → larger than the topics take → ended with error, without its values either (R47)")
    func withoutValues() async throws {
        let name = String(repeating: "x", count: RecordLimits.value)
        let result = try #require(try await Self.run(Self.confirmed(["name": .string(name)]), in: .handle))
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.record.isTruncated && result.fits)
        let response = try #require(result.outputs.lazy.compactMap(Self.data).first)
        #expect(response["intent"]?["parameters"] == [:])
    }

    /// The data of an event that a turn writes.
    private static func data(_ output: TurnOutput) -> JSONValue? {
        guard case .event(_, let draft) = output else { return nil }
        return try? JSONValue(parsing: draft.value)
    }

    // MARK: Nothing

    /// Says that it has begun, then makes an effect when the gate is open.
    private struct PayingHandler: IntentHandler {
        let begun: Gate
        let gate: Gate

        var handling: Handling<GreetIntent> {
            Handle { intent, context in
                self.begun.open()
                await self.gate.wait()
                _ = try await context.effect("pay") { _ in "paid" }
                return self.greeting(intent)
            }
        }
    }

    @Test("acting → nothing, when another turn has closed its ledger")
    func closedByAnother() async throws {
        let gate = Gate()
        gate.open()
        let ledger = InMemoryLedger()
        _ = try await ledger.close(request: "0:7", unlessEffects: false)
        let registrations = [IntentRegistration { PayingHandler(begun: Gate(), gate: gate) }]
        let result = try await Self.run(Self.confirmed(), in: .handle, registrations, ledger: ledger)
        #expect(result == nil)
        #expect(ledger.made.isEmpty)
    }

    @Test("acting → nothing, when it is cancelled")
    func cancelled() async throws {
        let (begun, gate) = (Gate(), Gate())
        let registrations = [IntentRegistration { PayingHandler(begun: begun, gate: gate) }]
        // Without a ledger the effect fails; a turn that is cancelled meanwhile reports nothing.
        let turn = Task { try await Self.run(Self.confirmed(), in: .handle, registrations) }
        await begun.wait()
        turn.cancel()
        gate.open()
        #expect(try await turn.value == nil)
    }
}
