import IntentEvents
import IntentKit
import IntentLab
import Testing
import WireDocuments
import WireRules

@testable import IntentRuntime

/// Each test names the transition of a turn that it is about.
@Suite("Clients' mistakes are named in what a turn writes (R79)", .timeLimit(.minutes(1)))
struct ClientMistakeTests {
    /// The first behaviour that names mistakes.
    private static let behaviour = 6

    private static func run(
        _ stored: StoredRecord,
        in stage: Stage,
        _ table: StateTable = StateTable(),
        _ unknownMembers: RuntimeSettings.UnknownMembers = .warn,
        behaviour: Int = Self.behaviour
    ) async throws -> TurnResult {
        let registrations = [IntentRegistration { GreetHandler() }]
        var settings = RuntimeSettings()
        settings.unknownMembers = unknownMembers
        let result = try await StillTurn.run(
            stored,
            in: stage,
            registrations,
            table,
            settings: settings,
            behaviour: behaviour
        )
        let turn = try #require(result)
        try Self.checkRules(turn)
        return turn
    }

    /// Everything that the turn writes is as it is described.
    private static func checkRules(_ result: TurnResult) throws {
        for case .event(_, let draft) in result.outputs {
            let data = try #require(try JSONValue(parsing: draft.value).object)
            #expect(EventRule.of(draft.type).data.problem(in: data, .written) == nil)
        }
        let record = TurnRecord(result.record, generation: 0, eventDigest: "", outputs: [], previousDigest: "")
        let journaled = try #require(record.json.object)
        #expect(EventRule.of(.turnJournaled).data.problem(in: journaled, .written) == nil)
    }

    private static func request(_ intent: JSONObject, _ more: JSONObject = [:]) -> StoredRecord {
        let named: JSONObject = ["name": "GreetIntent"]
        var data: JSONObject = ["intent": .object(named.merging(intent) { $1 }), "user": ["id": "u1"]]
        data.merge(more) { $1 }
        return StillTurn.stored(.intentRequested, .object(data), on: .requests)
    }

    /// The state with an interaction that waits for an answer.
    private static func asked(_ change: (inout Interaction) -> Void = { _ in }) -> StateTable {
        let table = StateTable()
        var interaction = Interaction.greeting()
        interaction.prompt = Prompt(
            number: 1,
            kind: .needsValue,
            parameter: "name",
            expiresAt: Timestamp(milliseconds: 1_000)
        )
        change(&interaction)
        table.set(.interaction("0:7"), user: "u1", entry: StateEntry(interaction))
        let known = KnownInteraction(interaction, at: StillTurn.start, whereabouts: .here)
        table.set(.known("i1"), user: "u1", entry: StateEntry(known))
        return table
    }

    fileprivate static func answer(_ members: JSONObject) -> StoredRecord {
        let data: JSONObject = ["promptId": "i1/r/1", "user": ["id": "u1"]]
        return StillTurn.stored(.promptAnswered, .object(data.merging(members) { $1 }), on: .requests, offset: 9)
    }

    /// A mistake of an earlier event.
    private static let earlier = ClientMistake("colour", .unknownMember, eventID: "e0")

    private static func members(_ warnings: JSONValue?) -> [String] {
        (warnings?.array ?? []).compactMap { $0["member"]?.string }
    }

    @Test("unknownMemberWarns: the first output names it, and the journal too")
    func unknownMemberWarns() async throws {
        let result = try await Self.run(Self.request(["params": ["name": "Jeff"]]), in: .resolve)
        #expect(result.record.outcome == .prompted)
        let warning: JSONValue = [
            "detail": "intent.params is not read; did you mean parameters?", "didYouMean": "parameters",
            "eventId": "e1", "member": "intent.params", "problem": "unknownMember",
        ]
        #expect(try result.data(of: .promptIssued)?["warnings"] == [warning])
        #expect(result.record.mistakes.map(\.member) == ["intent.params"])
        let kept = try #require(result.written(.interaction("0:7"), Interaction.self))
        #expect(kept.mistakes.map(\.member) == ["intent.params"] && kept.namedMistakes == 1)
    }

    @Test("A request without mistakes has no such member, and neither have turns of behaviour 5 (R58)")
    func nothingIsAddedWithoutMistakes() async throws {
        let clean = try await Self.run(Self.request([:]), in: .resolve)
        let prompt = try #require(try clean.data(of: .promptIssued))
        #expect(prompt["warnings"] == nil && clean.record.mistakes.isEmpty)
        let old = try await Self.run(Self.request(["params": [:]]), in: .resolve, behaviour: 5)
        #expect(try old.data(of: .promptIssued) == prompt)
        #expect(old.record.mistakes.isEmpty)
    }

    @Test("unknownParameterWarns: a parameter that the intent does not have is named with what was meant")
    func unknownParameterWarns() async throws {
        let result = try await Self.run(Self.request(["parameters": ["nmae": "Jeff"]]), in: .resolve)
        let warning = try result.data(of: .promptIssued)?["warnings"]?.array?.first
        #expect(warning?["member"] == "intent.parameters.nmae")
        #expect(warning?["problem"] == "unknownParameter")
        #expect(warning?["detail"] == "GreetIntent has no parameter nmae; did you mean name?")
        #expect(result.record.mistakes.map(\.problem) == [.unknownParameter])
    }

    @Test("warningsArePassedOn: a stage that writes no output leaves them to the next one")
    func warningsArePassedOn() async throws {
        let request = Self.request(["parameters": ["name": "Jeff"]], ["locael": "de"])
        let passed = try await Self.run(request, in: .resolve)
        let interaction = try #require(try passed.data(of: .intentResolved)?["interaction"])
        #expect(Self.members(interaction["warnings"]) == ["locael"])
        #expect(interaction["warned"] == 0)
        let data: JSONValue = ["interaction": interaction, "user": ["id": "u1"]]
        let ended = try await Self.run(StillTurn.stored(.intentConfirmed, data, on: .confirmed), in: .handle)
        #expect(Self.members(try ended.data(of: .intentResponded)?["warnings"]) == ["locael"])
        #expect(ended.record.mistakes.isEmpty)
    }

    @Test("mistakeOfAnswerWarns: the next prompt names what is new")
    func mistakeOfAnswerWarns() async throws {
        let table = Self.asked {
            $0.mistakes = [Self.earlier]
            $0.namedMistakes = 1
        }
        let answer = Self.answer(["choice": 1, "corrections": ["nmae": "Jeff"], "vlaue": "Jeff"])
        let result = try await Self.run(answer, in: .resolve, table)
        let warnings = try result.data(of: .promptIssued)?["warnings"]
        #expect(Self.members(warnings) == ["vlaue", "corrections.nmae", "choice"])
        let problems: [JSONValue?] = ["unknownMember", "unknownParameter", "ignoredMember"]
        #expect(warnings?.array?.map { $0["problem"] } == problems)
        let kept = try #require(result.written(.interaction("0:7"), Interaction.self))
        #expect(kept.mistakes.count == 4 && kept.namedMistakes == 4)
    }

    /// How an interaction ends.
    enum End: CaseIterable {
        case cancellingAnswer
        case cancellation
        case timeout

        /// The event that ends it.
        var event: StoredRecord {
            let user: JSONValue = ["id": "u1"]
            switch self {
            case .cancellingAnswer: return ClientMistakeTests.answer(["action": "cancel", "value": "Jeff"])
            case .cancellation:
                let data: JSONValue = ["raeson": "no", "user": user]
                return StillTurn.stored(.interactionCancelled, data, on: .requests, offset: 9)
            case .timeout:
                let data: JSONValue = [
                    "deadline": .string("\(StillTurn.start)"), "promptId": "i1/r/1", "user": user, "what": "prompt",
                ]
                return StillTurn.stored(.timerFired, data, on: .signals, offset: 9)
            }
        }

        /// What is wrong with that event.
        var mistakes: [String] {
            switch self {
            case .cancellingAnswer: ["value"]
            case .cancellation: ["raeson"]
            case .timeout: []
            }
        }
    }

    @Test("warningsAreRepeatedAtTheEnd: the terminal response has those of all events", arguments: End.allCases)
    func warningsAreRepeatedAtTheEnd(_ end: End) async throws {
        let table = Self.asked {
            $0.mistakes = [Self.earlier]
            $0.namedMistakes = 1
            $0.prompt?.expiresAt = StillTurn.start
        }
        let result = try await Self.run(end.event, in: .resolve, table)
        #expect(result.record.outcome == .ended)
        #expect(Self.members(try result.data(of: .intentResponded)?["warnings"]) == ["colour"] + end.mistakes)
    }

    @Test("mistakeOfRejectedEventIsNamed: the rejection has it, and the interaction does not")
    func mistakeOfRejectedEventIsNamed() async throws {
        let answer = Self.answer(["promptId": "i1/r/4", "chioce": 1])
        let result = try await Self.run(answer, in: .resolve, Self.asked())
        #expect(result.record.outcome == .rejected)
        #expect(Self.members(try result.data(of: .eventRejected)?["warnings"]) == ["chioce"])
        #expect(result.writes.isEmpty)
    }

    @Test("mistakeOfForwardedEventIsLeft: the stage that acts on an answer names what is wrong with it")
    func mistakeOfForwardedEventIsLeft() async throws {
        let answer = Self.answer(["promptId": "i1/c/1", "chioce": 1])
        let result = try await Self.run(answer, in: .resolve)
        #expect(result.record.outcome == .forwarded && result.record.mistakes.isEmpty)
    }

    @Test("mistakeOfNewsIsJournaled: an event without an answer has its mistakes in the journal alone")
    func mistakeOfNewsIsJournaled() async throws {
        let data: JSONValue = ["device": ["id": "d", "lokced": false], "user": ["id": "u1"]]
        let result = try await Self.run(StillTurn.stored(.deviceUnlocked, data, on: .requests), in: .resolve)
        #expect(result.record.mistakes.map(\.member) == ["device.lokced"])
        #expect(result.events.isEmpty)
        let later = try await Self.run(StillTurn.stored(.deviceUnlocked, data, on: .resolved), in: .confirm)
        #expect(later.record.outcome == .noted && later.record.mistakes.isEmpty)
    }

    @Test("claimedRedriveWarns: the state of a redriven request has no effect in a client's")
    func claimedRedriveWarns() async throws {
        let result = try await Self.run(Self.request([:], ["redrive": ["keys": 2]]), in: .resolve)
        let warning = try result.data(of: .promptIssued)?["warnings"]?.array?.first
        #expect(warning?["member"] == "redrive" && warning?["problem"] == "ignoredMember")
    }

    // MARK: The setting (R79c)

    @Test("unknownMemberIgnored: nothing is looked for")
    func unknownMemberIgnored() async throws {
        let request = Self.request(["params": [:], "parameters": ["nmae": "Jeff"]])
        let result = try await Self.run(request, in: .resolve, StateTable(), .ignore)
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["warnings"] == nil && result.record.mistakes.isEmpty)
    }

    @Test(
        "unknownMemberRejects: the request ends as invalid, and no handler is called",
        arguments: [
            (["params": [:]], "intent.params", "intent.params is not read; did you mean parameters?"),
            (
                ["parameters": ["name": "Jeff", "nmae": "Jeff"]], "intent.parameters.nmae",
                "GreetIntent has no parameter nmae; did you mean name?"
            ),
        ] as [(JSONObject, String, String)]
    )
    func unknownMemberRejects(intent: JSONObject, member: String, error: String) async throws {
        let result = try await Self.run(Self.request(intent), in: .resolve, StateTable(), .reject)
        #expect(result.record.outcome == .ended && result.end?.reason == .invalidRequest)
        #expect(result.record.handlerName == nil)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["response"] == ["error": .string(error)])
        #expect(Self.members(response["warnings"]) == [member])
    }

    @Test(
        "unknownMemberOfAnswerRejects: the same prompt stays open, with the same attempt",
        arguments: [["vlaue": "Jeff"], ["corrections": ["nmae": "Jeff"]]] as [JSONObject]
    )
    func unknownMemberOfAnswerRejects(members: JSONObject) async throws {
        let result = try await Self.run(Self.answer(members), in: .resolve, Self.asked(), .reject)
        #expect(result.record.outcome == .rejected && result.writes.isEmpty)
        let rejection = try #require(try result.data(of: .eventRejected))
        #expect(rejection["reason"] == "invalid")
        #expect(rejection["warnings"]?.array?.count == 1)
        #expect(rejection["warnings"]?.array?.first?["detail"] == rejection["detail"])
    }

    @Test("unknownMemberOfNewsRejects: the event is not passed on to the other stages either")
    func unknownMemberOfNewsRejects() async throws {
        let data: JSONValue = ["device": ["id": "d", "lokced": false], "user": ["id": "u1"]]
        let unlocked = StillTurn.stored(.deviceUnlocked, data, on: .requests)
        let result = try await Self.run(unlocked, in: .resolve, StateTable(), .reject)
        #expect(result.record.outcome == .rejected && result.outputs.count == 1)
    }

    @Test("A member without effect is named, and refuses nothing")
    func ignoredMemberRefusesNothing() async throws {
        let answer = Self.answer(["action": "decline", "value": "Jeff"])
        let result = try await Self.run(answer, in: .resolve, Self.asked(), .reject)
        #expect(result.record.outcome == .prompted)
        #expect(Self.members(try result.data(of: .promptIssued)?["warnings"]) == ["value"])
    }

    // MARK: Records that cannot be read (R47a)

    /// Runs the turn of a record of `u1` that is no JSON, and that only its key names.
    private static func buried(
        partition: Int,
        subject: InteractionID = "i1",
        _ table: StateTable = StateTable(),
        behaviour: Int = Self.behaviour
    ) async throws -> TurnResult {
        let record = LogRecord(
            topicPartition: TopicPartition("intents.requests", partition),
            offset: 7,
            timestamp: 0,
            key: Array("u1".utf8),
            value: Array(#"{"intent":{"name":"GreetIntent"}"#.utf8),
            headers: [LogHeader("ce_type", "intent.requested"), LogHeader("ce_subject", subject.text)]
        )
        let registrations = [IntentRegistration { GreetHandler() }]
        let clock = ManualClock(at: StillTurn.start)
        let environment =
            try StageEnvironment.tests(.resolve, registrations, partitions: 4, clock: clock)
            .with(behaviour: behaviour)
        let input = TurnInput(StoredRecord(record, topic: .requests)).namingUser(in: environment)
        let result = await Turn.run(input, in: environment, source: table.source(user: input.userID))
        return try #require(result)
    }

    private static let home = HomePartition.of(user: "u1", count: 4)

    @Test(
        "unreadableRecordOfKeyIsAnswered: the key's user learns that the request is invalid, and the record is buried"
    )
    func unreadableRecordOfKeyIsAnswered() async throws {
        let result = try await Self.buried(partition: Self.home)
        #expect(result.record.userID == "u1" && result.record.opened)
        #expect(result.outputs.contains { if case .deadLetter("malformed", _) = $0 { true } else { false } })
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["endReason"] == "invalidRequest")
        #expect(response["user"]?["id"] == "u1")
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .ended)
    }

    @Test("unreadableRecordOfForeignKeyIsNot: in another partition than the key's home it is only buried")
    func unreadableRecordOfForeignKeyIsNot() async throws {
        let result = try await Self.buried(partition: (Self.home + 1) % 4)
        #expect(result.record.outcome == .deadLettered && result.record.userID.isEmpty)
        #expect(result.events.isEmpty)
        let old = try await Self.buried(partition: Self.home, behaviour: 5)
        #expect(old.record.userID.isEmpty && old.events.isEmpty)
    }

    @Test("An unreadable record under the id of an interaction that began already is only buried (R9)")
    func unreadableRecordOfKnownInteractionIsBuried() async throws {
        let result = try await Self.buried(partition: Self.home, Self.asked())
        #expect(result.record.outcome == .deadLettered && result.events.isEmpty)
    }

    // MARK: What is kept

    @Test("Twenty mistakes of an interaction are kept")
    func mistakesAreFew() {
        var interaction = Interaction.greeting()
        for event in 0..<9 {
            interaction.add((0..<5).map { ClientMistake("m\($0)", .unknownMember, eventID: "e\(event)") })
        }
        #expect(interaction.mistakes.count == 20)
        interaction.add([Self.earlier])
        #expect(!interaction.mistakes.contains(Self.earlier))
    }

    @Test("An interaction keeps its mistakes in state, and which of them were named")
    func mistakesAreKeptInState() {
        var interaction = Interaction.greeting()
        interaction.add([Self.earlier, ClientMistake("a", .ignoredMember, known: ["b"], eventID: "e1")])
        #expect(interaction.takeUnnamedMistakes().count == 2)
        interaction.add([ClientMistake("c", .unknownMember, eventID: "e2")])
        #expect(Interaction(text: interaction.utf8) == interaction)
        #expect(interaction.takeUnnamedMistakes().map(\.member) == ["c"])
        #expect(interaction.takeUnnamedMistakes().isEmpty)
    }
}
