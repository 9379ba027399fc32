import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Each test is named after a transition of an interaction that is asked again, in R22, R24 or R72.
@Suite("Transitions of a way back", .timeLimit(.minutes(1)))
struct WayBackTransitionTests {
    // MARK: Attempts

    /// `first` is `a`, `b` or `c`; `?` means one of two, `??` one of two others, and `~` is perhaps `a`.
    private static let choosy = IntentRegistration(confirmation: .never) {
        var handler = ProbeHandler()
        handler.resolve = { parameter, value in
            switch value {
            case nil: .needsValue()
            case "?": .disambiguation(with: ["a", "b"])
            case "??": .disambiguation(with: ["b", "c"])
            case "~": .confirmationRequired(with: "a")
            case "a", "b", "c": .success(with: value ?? "")
            default: parameter == "second" ? .success(with: value ?? "") : .unsupported()
            }
        }
        return handler
    }

    @Test("correctionDoesNotCount: corrections of others alone leave the question and its attempt as they are")
    func correctionDoesNotCount() async throws {
        let conversation = StillConversation([Self.choosy])
        try await conversation.request("ProbeIntent", ["first": "?", "second": "x"])
        for second in ["y", "z", "yy", "zz"] as [JSONValue] {
            try await conversation.answer(["corrections": ["second": second]])
            #expect(conversation.summary == "disambiguation:first Initial")
        }
        #expect(conversation.interaction?.attempts.isEmpty == true)
        try await conversation.answer([:])
        #expect(conversation.summary == "disambiguation:first Retry1 noAnswer")
        try await conversation.answer(["corrections": ["second": "y"]])
        #expect(conversation.summary == "disambiguation:first Retry1")
        #expect(try await conversation.answer(["choice": 0]).record.outcome == .passed)
    }

    @Test("A correction of the parameter that was asked for, and a decline with corrections, count")
    func otherCorrectionsCount() async throws {
        let conversation = StillConversation([Self.choosy])
        try await conversation.request("ProbeIntent", ["first": "x", "second": "x"])
        try await conversation.answer(["corrections": ["first": "y"]])
        #expect(conversation.summary == "unsupported:first Retry1 notAccepted")
        try await conversation.answer(["action": "decline", "corrections": ["second": "y"]])
        #expect(conversation.summary == "unsupported:first Retry2 declined")
    }

    @Test("otherOfferIsNewQuestion: other options, and another value, are asked about for the first time")
    func otherOfferIsNewQuestion() async throws {
        let conversation = StillConversation([Self.choosy])
        try await conversation.request("ProbeIntent", ["first": "?"])
        for (value, summary) in [
            ("?", "disambiguation:first Retry1"), ("??", "disambiguation:first Initial"),
            ("~", "confirmationRequired:first Initial"), ("?", "disambiguation:first Retry2"),
            ("x", "unsupported:first Initial"), ("y", "unsupported:first Retry1 notAccepted"),
        ] as [(JSONValue, String)] {
            try await conversation.answer(["value": value])
            #expect(conversation.summary == summary)
        }
        // The third answer to the first question.
        #expect(try await conversation.answer(["value": "?"]).end?.reason == .tooManyAttempts)
    }

    @Test("A settled parameter forgets the answers to all questions about it")
    func settledParameterForgetsItsQuestions() throws {
        var interaction = Interaction.greeting()
        for name in ["name", "name#0a1b2c3d", "name/0", "name/0#0a1b2c3d", "names"] {
            interaction.attempts[name] = 1
        }
        interaction.forgetAttempts(at: "name/0")
        #expect(interaction.attempts.keys.sorted() == ["name", "name#0a1b2c3d", "names"])
        interaction.settle("name")
        #expect(interaction.attempts.keys.sorted() == ["names"])
    }

    @Test("R58: a turn of behaviour 5 counts for the parameter, and counts corrections of others")
    func behaviour5CountsForParameter() async throws {
        let conversation = StillConversation(behaviour: 5, [Self.choosy])
        try await conversation.request("ProbeIntent", ["first": "?", "second": "x"])
        try await conversation.answer(["corrections": ["second": "y"]])
        #expect(conversation.summary == "disambiguation:first Retry1")
        try await conversation.answer(["value": "??"])
        #expect(conversation.summary == "disambiguation:first Retry2")
        #expect(conversation.interaction?.attempts == ["first": 2])
    }

    // MARK: Declined offers

    private struct TableIntent: Intent {
        @Parameter(isRequired: true) var time: String?
        @Parameter var guests: [String]?
    }

    /// Offers the times that were not declined, two at a time; guests have names of one letter or are one of two.
    private struct TableHandler: IntentHandler {
        var times = ["9", "10", "11", "12"]
        /// Whether it offers what was declined.
        var isForgetful = false
        /// The time that it takes where nothing was said.
        var usual: String?

        var handling: Handling<TableIntent> {
            Resolve(\.$time) { said, context in
                if let said, self.times.contains(said) { return .success(with: said) }
                if said == "perhaps" { return .confirmationRequired(with: "9") }
                if said == nil, let usual = self.usual { return .success(with: usual) }
                let declined = self.isForgetful ? [] : context.declined(\TableIntent.$time)
                let others = self.times.filter { !declined.contains($0) }
                return others.isEmpty ? .needsValue() : .disambiguation(with: Array(others.prefix(2)))
            }
            Resolve(\.$guests) { said, context in
                let declined = context.declined(\TableIntent.$guests)
                return (said ?? [])
                    .map { name in
                        guard name.count > 1 else { return .success(with: name) }
                        let all = ["A", "B", "C"].filter { self.isForgetful || !declined.contains($0) }
                        return .disambiguation(with: Array(all.prefix(2)))
                    }
            }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static func table(behaviour: Int = 6, _ handler: TableHandler = TableHandler()) -> StillConversation {
        StillConversation(behaviour: behaviour, [IntentRegistration(confirmation: .never) { handler }])
    }

    @Test("declinedOfferAsksResolver: the resolver offers others, and sees all that was declined")
    func declinedOfferAsksResolver() async throws {
        let conversation = Self.table()
        try await conversation.request("TableIntent", ["time": "soon"])
        #expect(conversation.prompt["options"] == ["9", "10"])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "disambiguation:time Initial")
        #expect(conversation.prompt["options"] == ["11", "12"])
        #expect(conversation.prompt["intent"]?["parameters"] == [:])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:time Initial declined")
        #expect(conversation.interaction?.declined["time"]?.values == ["9", "10", "11", "12"])
        // The user may come back to what they declined.
        #expect(try await conversation.answer(["value": "9"]).record.outcome == .passed)
    }

    @Test("declinedOfferAsksResolver: a declined confirmation of a value, with a correction of another parameter")
    func declinedConfirmationAsksResolver() async throws {
        let conversation = Self.table()
        try await conversation.request("TableIntent", ["time": "perhaps"])
        #expect(conversation.summary == "confirmationRequired:time Initial")
        try await conversation.answer(["action": "decline", "corrections": ["guests": ["Z"]]])
        #expect(conversation.summary == "disambiguation:time Initial")
        #expect(conversation.prompt["options"] == ["10", "11"])
        #expect(conversation.prompt["intent"]?["parameters"] == ["guests": ["Z"]])

        // A choice of which one value was declined is still a choice.
        let forgetful = Self.table(TableHandler(isForgetful: true))
        try await forgetful.request("TableIntent", ["time": "perhaps"])
        try await forgetful.answer(["action": "decline"])
        #expect(forgetful.summary == "disambiguation:time Initial")
        #expect(forgetful.prompt["options"] == ["9", "10"])
    }

    @Test("declinedValueOfferedAgain: a resolver that offers what was declined is overruled, until there is a value")
    func declinedValueOfferedAgain() async throws {
        let conversation = Self.table(TableHandler(isForgetful: true))
        try await conversation.request("TableIntent", ["time": "soon"])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:time Initial declined")
        try await conversation.answer(["corrections": ["guests": ["Z"]]])
        #expect(conversation.summary == "needsValue:time Initial declined")
        try await conversation.answer(["value": "later"])
        #expect(conversation.summary == "disambiguation:time Retry1")
        #expect(conversation.prompt["options"] == ["9", "10"])

        let guessing = Self.table(TableHandler(usual: "9"))
        try await guessing.request("TableIntent", ["time": "perhaps"])
        try await guessing.answer(["action": "decline"])
        #expect(guessing.summary == "needsValue:time Initial declined")
        let other = Self.table(TableHandler(usual: "11"))
        try await other.request("TableIntent", ["time": "perhaps"])
        #expect(try await other.answer(["action": "decline"]).record.outcome == .passed)
    }

    @Test("What the user said and only declined the meanings of is not left out, until they give it up")
    func declinedOptionalValueIsAskedFor() async throws {
        let registration = IntentRegistration(confirmation: .never) {
            var handler = ProbeHandler()
            handler.resolve = { _, value in
                switch value {
                case nil: .notRequired()
                case "?": .disambiguation(with: ["a", "b"])
                default: .success(with: value ?? "")
                }
            }
            return handler
        }
        let conversation = StillConversation([registration])
        try await conversation.request("ProbeIntent", ["first": "?"])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:first Initial declined")
        try await conversation.answer(["corrections": ["second": "x"]])
        #expect(conversation.summary == "needsValue:first Initial declined")
        let result = try await conversation.answer(["corrections": ["first": .null]])
        #expect(result.record.outcome == .passed)
        #expect(try result.data(of: .intentResolved)?["intent"]?["parameters"] == ["second": "x"])
    }

    @Test("declinedOfferAsksResolver: a value of a list keeps its place while others are offered for it")
    func declinedOfferOfListValue() async throws {
        let conversation = Self.table()
        try await conversation.request("TableIntent", ["time": "9", "guests": ["Z", "Sam"]])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.prompt["index"] == 1)
        #expect(conversation.summary == "confirmationRequired:guests Initial")
        #expect(conversation.prompt["item"] == "C")
        try await conversation.answer([:])
        #expect(conversation.interaction == nil)

        let forgetful = Self.table(TableHandler(isForgetful: true))
        try await forgetful.request("TableIntent", ["time": "9", "guests": ["Z", "Sam"]])
        try await forgetful.answer(["action": "decline"])
        #expect(forgetful.prompt["index"] == 1)
        #expect(forgetful.summary == "needsValue:guests Initial declined")
    }

    @Test("declinedOfferOfDefinition: what only declarations resolve is asked for by needsValue")
    func declinedOfferOfDefinition() async throws {
        struct ServingIntent: Intent {
            @Parameter(isRequired: true, values: ["front squat", "back squat"]) var name: String?
        }
        struct ServingHandler: IntentHandler {
            var handling: Handling<ServingIntent> { Handle { _, _ in IntentResponse(code: .success) } }
        }
        let conversation = StillConversation([IntentRegistration { ServingHandler() }])
        try await conversation.request("ServingIntent", ["name": "squat"])
        #expect(conversation.summary == "disambiguation:name Initial")
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:name Initial declined")
        #expect(conversation.interaction?.declined.isEmpty == true)
    }

    @Test("R58: a declined offer of behaviour 5 leads to needsValue, and nothing is remembered")
    func behaviour5AsksForValueAfterDecline() async throws {
        let conversation = Self.table(behaviour: 5)
        try await conversation.request("TableIntent", ["time": "soon"])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:time Retry1 declined")
        #expect(conversation.interaction?.declined.isEmpty == true)
    }

    @Test("Declined values: the last hundred are kept, and of large ones a digest that is shown to nobody")
    func declinedValuesAreBounded() throws {
        var declined = DeclinedValues()
        declined.append((0..<120 as Range<Int64>).map(JSONValue.integer))
        #expect(declined.values.count == 100)
        #expect(!declined.contains(19) && declined.contains(20) && declined.contains([20, 119]))
        let large = JSONValue.string(String(repeating: "x", count: 2_000))
        declined.append([large])
        #expect(declined.contains(large) && declined.values.count == 99)
        #expect(declined.json.utf8.count < 1_000)
        #expect(DeclinedValues(json: try JSONValue(parsing: declined.json.utf8)) == declined)
    }

    // MARK: A resolver's end

    /// `first` says how the resolver ends the interaction.
    private static let ending = IntentRegistration(confirmation: .never) {
        var handler = ProbeHandler()
        handler.resolve = { _, value in
            let app = UserActivity(title: "Add a pet")
            switch value {
            case "none":
                let response = IntentResponse<ProbeIntent>(
                    code: .failureRequiringAppLaunch,
                    userActivity: app,
                    details: ["pets": 0]
                )
                return .ending(response.saying("Add a pet first."))
            case "app": return .ending(IntentResponse<ProbeIntent>(code: .continueInApp, userActivity: app))
            case "ready": return .ending(IntentResponse<ProbeIntent>(code: .ready))
            case "success": return .ending(IntentResponse<ProbeIntent>(code: .success))
            case "another": return .ending(IntentResponse<GreetIntent>(code: .failure))
            default: return .needsValue()
            }
        }
        return handler
    }

    @Test("resolverEnds: the interaction ends in resolve, with the code, the dialog and the activity")
    func resolverEnds() async throws {
        let conversation = StillConversation([Self.ending])
        try await conversation.request("ProbeIntent")
        let result = try await conversation.answer(["value": "none"])
        #expect(result.record.outcome == .ended && result.end?.reason == .failed)
        #expect(conversation.interaction == nil)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["phase"] == "resolve" && response["terminal"] == true)
        #expect(response["code"] == "failureRequiringAppLaunch" && response["endReason"] == "failed")
        #expect(response["dialog"] == "Add a pet first." && response["response"] == ["pets": 0])
        #expect(response["userActivity"]?["title"] == "Add a pet")
        #expect(result.events.contains(.userActivityCreated))
    }

    @Test("resolverEnds: continueInApp is no failure")
    func resolverHandsOverToApp() async throws {
        let conversation = StillConversation([Self.ending])
        let result = try await conversation.request("ProbeIntent", ["first": "app"])
        #expect(result.end?.reason == .nominal)
        #expect(try result.data(of: .intentResponded)?["status"] == "deferredToApplication")
    }

    @Test(
        "A resolver ends with a failure or continueInApp of its own intent",
        arguments: ["ready", "success", "another"]
    )
    func otherEndsAreErrors(_ value: String) async throws {
        let conversation = StillConversation([Self.ending])
        let result = try await conversation.request("ProbeIntent", ["first": .string(value)])
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.failure?.isFinal == true)
    }

    @Test("resolverEnds: one end is enough for a list, whatever its other values are")
    func resolverOfListEnds() async throws {
        struct PackIntent: Intent {
            @Parameter var things: [String]?
        }
        struct PackHandler: IntentHandler {
            var handling: Handling<PackIntent> {
                Resolve(\.$things) { said, _ in
                    (said ?? [])
                        .map { thing in
                            guard thing == "piano" else { return .disambiguation(with: ["a", "b"]) }
                            return .ending(IntentResponse<PackIntent>(code: .failure))
                        }
                }
                Handle { _, _ in IntentResponse(code: .success) }
            }
        }
        let conversation = StillConversation([IntentRegistration { PackHandler() }])
        let result = try await conversation.request("PackIntent", ["things": ["x", "piano"]])
        #expect(result.end?.reason == .failed)
    }

    // MARK: A question that an interaction carries

    /// Brings an interaction back to resolve, whose `time` or `guests` a later stage cannot use.
    private static func bringBack(
        _ question: BackQuestion,
        about parameter: String = "time",
        to conversation: StillConversation
    ) async throws -> TurnResult {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TableIntent", parameters: ["time": "9", "guests": ["Y", "Z"]])
        interaction.asked = [parameter: question]
        for name in ["time", "guests"] where name != parameter { interaction.settle(name) }
        let data: JSONValue = ["corrections": [:], "interaction": interaction.json, "user": ["id": "u1"]]
        return try await conversation.receive(.interactionReturned, data, on: .signals)
    }

    private static let slotGone = BackQuestion(
        .disambiguation,
        by: .handle,
        options: ["10", "11"],
        dialog: "That slot has just gone. Which of these?"
    )

    @Test("returnedQuestionIsPut: resolve asks it at the place of its parameter, and calls no handler")
    func returnedQuestionIsPut() async throws {
        let conversation = Self.table()
        let result = try await Self.bringBack(Self.slotGone, to: conversation)
        #expect(result.record.outcome == .prompted && result.record.handlerName == nil)
        #expect(conversation.summary == "disambiguation:time Initial notAccepted")
        #expect(conversation.prompt["askedBy"] == "handle" && conversation.prompt["promptId"] == "i1/r/1")
        #expect(conversation.prompt["options"] == ["10", "11"] && conversation.prompt["item"] == "9")
        #expect(conversation.prompt["dialog"] == "That slot has just gone. Which of these?")
        #expect(
            conversation.prompt["again"]?["detail"] == "The value was accepted before, and handle cannot use it."
        )
    }

    @Test("returnedQuestionIsPutAgain: until its parameter has a value")
    func returnedQuestionIsPutAgain() async throws {
        let conversation = Self.table()
        _ = try await Self.bringBack(Self.slotGone, to: conversation)
        try await conversation.answer(["corrections": ["guests": ["X"]]])
        #expect(conversation.summary == "disambiguation:time Initial notAccepted")
        #expect(conversation.prompt["options"] == ["10", "11"] && conversation.prompt["askedBy"] == "handle")
        #expect(conversation.prompt["intent"]?["parameters"]?["guests"] == ["X"])
        try await conversation.answer(["choice": 7])
        #expect(conversation.summary == "disambiguation:time Retry1 noSuchChoice")
        #expect(conversation.prompt["askedBy"] == "handle")
    }

    @Test("answerClearsReturnedQuestion: the resolver is called with the new value, and the interaction goes on")
    func answerClearsReturnedQuestion() async throws {
        let conversation = Self.table()
        _ = try await Self.bringBack(Self.slotGone, to: conversation)
        let result = try await conversation.answer(["choice": 1])
        #expect(result.record.outcome == .passed && result.record.handlerName == "TableHandler")
        let passed = try #require(try result.data(of: .intentResolved)?["interaction"])
        #expect(passed["intent"]?["parameters"]?["time"] == "11" && passed["asked"] == nil)

        let corrected = Self.table()
        _ = try await Self.bringBack(Self.slotGone, to: corrected)
        #expect(try await corrected.answer(["corrections": ["time": "12"]]).record.outcome == .passed)
    }

    @Test("A declined question of a later stage asks the resolver, which offers others")
    func declinedReturnedQuestionAsksResolver() async throws {
        let conversation = Self.table()
        _ = try await Self.bringBack(Self.slotGone, to: conversation)
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "disambiguation:time Initial")
        #expect(conversation.prompt["options"] == ["9", "12"] && conversation.prompt["askedBy"] == nil)
    }

    @Test("A declined question about a value of a list asks for that value, whatever else is corrected")
    func declinedReturnedQuestionOfListValue() async throws {
        for kind in [PromptKind.unsupported, .disambiguation] {
            let conversation = Self.table()
            let options: [ParameterOption] = kind == .disambiguation ? ["A", "B"] : []
            let question = BackQuestion(kind, by: .confirm, index: 1, options: options)
            _ = try await Self.bringBack(question, about: "guests", to: conversation)
            #expect(conversation.prompt["index"] == 1 && conversation.prompt["item"] == "Z")
            try await conversation.answer(["action": "decline"])
            let attempt = kind == .unsupported ? "Retry1" : "Initial"
            #expect(conversation.summary == "needsValue:guests \(attempt) declined")
            try await conversation.answer(["corrections": ["time": "11"]])
            #expect(conversation.prompt["kind"] == "needsValue" && conversation.prompt["index"] == 1)
            #expect(try await conversation.answer(["value": "W"]).record.outcome == .passed)
        }
    }

    @Test("R57: what carries a question is of format 2, whatever is set")
    func carriedMembersAreMarked() async throws {
        let conversation = Self.table()
        let results = [
            try await Self.bringBack(Self.slotGone, to: conversation), try await conversation.answer(["choice": 1]),
        ]
        var assembler = TurnAssembler(environment: try StageEnvironment.tests(.resolve), partition: 0, chain: "")
        for result in results {
            #expect(result.neededFormat == 2)
            assembler.append(result, generation: 0)
        }
        assembler.appendState(user: "u1", "i/0:7", [], atLeast: 2)
        assembler.appendState(user: "u1", "i/0:8", [])
        let marks = assembler.records.map { record in
            "\(record.topicPartition.topic) \(record.content.header(RecordFormats.header) ?? "1")"
        }
        #expect(
            marks == [
                "intents.responses 1", "intents.journal 2", "intents.resolved 2", "intents.journal 2",
                "intents.state 2", "intents.state 1",
            ]
        )
    }

    @Test("An interaction with a question that cannot be read is none")
    func unreadableQuestionIsNoInteraction() throws {
        var interaction = Interaction.greeting()
        let reason = ReasonDescription(code: 1, name: "taken")
        interaction.asked = ["name": BackQuestion(.unsupported, by: .handle, reason: reason)]
        #expect(Interaction(json: interaction.json) == interaction)
        let json = try #require(interaction.json.object)
        for question in [[:], ["by": "handle"], ["by": "nobody", "kind": "needsValue"]] as [JSONValue] {
            var changed = json
            changed["asked"] = ["name": question]
            #expect(Interaction(json: .object(changed)) == nil)
        }
    }

    // MARK: Confirm asks back

    private enum SlotReason: Int, UnsupportedReason { case taken = 1 }

    /// Its `confirm` answers as a test wants it.
    private struct SlotHandler: IntentHandler {
        typealias Response = IntentResponse<TableIntent>

        let confirm: @Sendable (TableIntent) -> Response

        var handling: Handling<TableIntent> {
            Confirm { intent, _ in self.confirm(intent) }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static func confirming(
        format: Int = 2,
        _ policy: ConfirmationPolicy = .never,
        _ confirm: @escaping @Sendable (TableIntent) -> SlotHandler.Response
    ) -> StillConversation {
        let registration = IntentRegistration(confirmation: policy) { SlotHandler(confirm: confirm) }
        return StillConversation(in: .confirm, format: format, [registration])
    }

    /// An interaction that resolve passes on, with `time` and `guests`.
    private static func resolved(_ change: (inout Interaction) -> Void = { _ in }) -> JSONValue {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TableIntent", parameters: ["time": "9", "guests": ["Y", "Z"]])
        interaction.settle("time")
        interaction.settle("guests")
        change(&interaction)
        return ["interaction": interaction.json, "intent": interaction.intent.json, "user": ["id": "u1"]]
    }

    @Test("confirmAsksBack: the interaction goes back to resolve with the question, and its parameter is unsettled")
    func confirmAsksBack() async throws {
        let conversation = Self.confirming { _ in
            .asking(\.$time, .disambiguation(with: ["10", "11"]).saying(["en": "That slot has just gone."]))
        }
        let result = try await conversation.receive(.intentResolved, Self.resolved(), on: .resolved)
        #expect(result.record.outcome == .returned && result.outputs.map(\.topic) == [.signals])
        #expect(conversation.interaction == nil)
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .returned)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(data["corrections"] == [:])
        #expect(returned.settled == ["guests"])
        #expect(
            returned.asked == [
                "time": BackQuestion(
                    .disambiguation,
                    by: .confirm,
                    options: ["10", "11"],
                    dialog: "That slot has just gone."
                )
            ]
        )
        // Resolve puts it.
        let resolve = Self.table()
        try await resolve.receive(.interactionReturned, data, on: .signals)
        #expect(resolve.summary == "disambiguation:time Initial notAccepted")
        #expect(resolve.prompt["askedBy"] == "confirm")
    }

    @Test("confirmAsksBackAfterYes: what the user said yes to no longer counts")
    func confirmAsksBackAfterYes() async throws {
        let conversation = Self.confirming(.always) { intent in
            intent.time == "9"
                ? .asking(\.$time, reasons: SlotReason.self, .unsupported(forReason: .taken))
                : IntentResponse(code: .ready)
        }
        let accepted = Self.resolved { interaction in
            interaction.isAccepted = true
            interaction.shown = [:]
            interaction.attempts = ["": 1]
        }
        let result = try await conversation.receive(.intentResolved, accepted, on: .resolved)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(!returned.isAccepted && returned.shown == nil && returned.attempts.isEmpty)
        let reason = ReasonDescription(code: 1, name: "taken")
        #expect(returned.asked == ["time": BackQuestion(.unsupported, by: .confirm, reason: reason)])
    }

    @Test("confirmAsksBack: about one value of a list, the yes to others is kept")
    func confirmAsksBackAboutListValue() async throws {
        let conversation = Self.confirming { _ in .asking(\.$guests, at: 1, .confirmationRequired(with: "W")) }
        let resolved = Self.resolved { $0.confirmed = ["guests": [0: "Y", 1: "Z"]] }
        let result = try await conversation.receive(.intentResolved, resolved, on: .resolved)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(returned.asked == ["guests": BackQuestion(.confirmationRequired, by: .confirm, index: 1, item: "W")])
        #expect(returned.confirmed == ["guests": [0: "Y"]] && returned.settled == ["time"])
        let resolve = Self.table()
        try await resolve.receive(.interactionReturned, data, on: .signals)
        #expect(resolve.prompt["index"] == 1 && resolve.prompt["item"] == "W")
        let answered = try await resolve.answer([:])
        #expect(try answered.data(of: .intentResolved)?["intent"]?["parameters"]?["guests"] == ["Y", "W"])
    }

    @Test("What asks nothing, or about nothing, ends the interaction with an error", arguments: 0..<4)
    func questionsThatAreNone(_ number: Int) async throws {
        let conversation = Self.confirming { _ in
            switch number {
            case 0: .asking(\.$time, .success(with: "10"))
            case 1: .asking(\.$time, .notRequired())
            case 2: .asking(\.$guests, at: 2, .needsValue())
            default: .asking(\.$time, .ending(IntentResponse<TableIntent>(code: .failure)))
            }
        }
        let result = try await conversation.receive(.intentResolved, Self.resolved(), on: .resolved)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.failure?.message.contains("asks back about") == true)
    }

    @Test("needsFormat2SaysSo: a question of confirm is an error while format 1 is written")
    func askingBackNeedsFormat2() async throws {
        let conversation = Self.confirming(format: 1) { _ in .asking(\.$time, .needsValue()) }
        let result = try await conversation.receive(.intentResolved, Self.resolved(), on: .resolved)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(
            result.failure?.message
                == "A question of confirm needs format 2: set formats.write: 2 when all workers are of this version."
        )
        #expect(result.neededFormat == 1)
        // An interaction that carries a question already can be read by workers of format 2 only.
        let carrying = Self.confirming(format: 1) { _ in .asking(\.$time, .needsValue()) }
        let resolved = Self.resolved { $0.asked = ["guests": BackQuestion(.needsValue, by: .confirm)] }
        let again = try await carrying.receive(.intentResolved, resolved, on: .resolved)
        #expect(again.record.outcome == .returned && again.neededFormat == 2)
    }

    @Test("cancelReachesReturned: confirm forwards a cancellation to resolve, behind the question")
    func cancelReachesReturned() async throws {
        let conversation = Self.confirming { _ in .asking(\.$time, .needsValue()) }
        try await conversation.receive(.intentResolved, Self.resolved(), on: .resolved)
        let cancelled = try await conversation.receive(.interactionCancelled, ["user": ["id": "u1"]], on: .resolved)
        #expect(cancelled.outputs == [.forward(.signals, partition: 0, stage: .resolve)])
    }

    @Test("returnedTooOften: an interaction that is sent back again and again ends after its turns")
    func returnedTooOften() async throws {
        let conversation = Self.table()
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TableIntent", parameters: ["time": "9"])
        interaction.asked = ["time": Self.slotGone]
        interaction.turns = RuntimeSettings().maxTurns
        let data: JSONValue = ["corrections": [:], "interaction": interaction.json, "user": ["id": "u1"]]
        let result = try await conversation.receive(.interactionReturned, data, on: .signals)
        #expect(result.end?.reason == .tooManyAttempts)
    }

    @Test("A conversation in which confirm asks back replays as it was, and follows the schemas")
    func conversationWithQuestionReplays() async throws {
        let registration = IntentRegistration(confirmation: .always) {
            SlotHandler { intent in
                intent.time == "9"
                    ? .asking(\.$time, .disambiguation(with: ["10", "11"])) : IntentResponse(code: .ready)
            }
        }
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        try await Pipeline.with([registration], settings: settings) { pipeline in
            try await pipeline.request("TableIntent", ["time": "9"], subject: "i1")
            let question = try await pipeline.next(of: "i1")
            #expect(question.data["kind"] == "disambiguation" && question.data["askedBy"] == "confirm")
            try await pipeline.answer(question, ["choice": 1])
            let confirmation = try await pipeline.next(of: "i1")
            #expect(confirmation.data["kind"] == "intentConfirmation")
            #expect(confirmation.data["intent"]?["parameters"]?["time"] == "11")
            try await pipeline.answer(confirmation, [:])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    // MARK: Handle asks back

    /// Its `handle` does what a test says.
    private struct DeedHandler: IntentHandler {
        typealias Response = IntentResponse<TableIntent>

        let handle: @Sendable (TableIntent, TurnContext) async throws -> Response

        var handling: Handling<TableIntent> { Handle { try await self.handle($0, $1) } }
    }

    private static func handling(
        format: Int = 2,
        _ ledger: (any EffectLedger)?,
        _ handle: @escaping @Sendable (TableIntent, TurnContext) async throws -> DeedHandler.Response
    ) -> StillConversation {
        let registration = IntentRegistration { DeedHandler(handle: handle) }
        return StillConversation(in: .handle, format: format, ledger: ledger, [registration])
    }

    @Test("handleAsksBack: the interaction goes back with the question, in the next round", arguments: [0, 1])
    func handleAsksBack(round: Int) async throws {
        let ledger = InMemoryLedger()
        let conversation = Self.handling(ledger) { _, _ in
            .asking(\.$time, .disambiguation(with: ["10", "11"]).saying("That slot has just gone."))
        }
        let confirmed = Self.resolved { $0.round = round }
        let result = try await conversation.receive(.intentConfirmed, confirmed, on: .confirmed)
        #expect(result.record.outcome == .returned && result.outputs.map(\.topic) == [.signals])
        #expect(result.written(.known("i1"), KnownInteraction.self)?.whereabouts == .returned)
        let data = try #require(try result.data(of: .interactionReturned))
        let returned = try #require(data["interaction"].flatMap(Interaction.init(json:)))
        #expect(returned.round == round + 1 && returned.settled == ["guests"])
        #expect(returned.asked["time"]?.stage == .handle && returned.asked["time"]?.options == ["10", "11"])
        let fence = try #require(result.record.reads.last)
        #expect(fence.kind == .ledger && fence.name == "fence")
        #expect(fence.result == .value(["effects": [], "round": .integer(Int64(round + 1))]))
        #expect(fence.heldEffects == nil && ledger.closed.isEmpty)
    }

    @Test("handleAsksBackWithoutUndo: after an effect the interaction ends with an error that names it")
    func handleAsksBackWithoutUndo() async throws {
        let ledger = InMemoryLedger()
        let conversation = Self.handling(ledger) { _, context in
            try await context.effect("pay") { _ in }
            return .asking(\.$time, .needsValue())
        }
        let result = try await conversation.receive(.intentConfirmed, Self.resolved(), on: .confirmed)
        #expect(result.record.outcome == .ended && result.end?.reason == .error)
        #expect(result.failure?.message.contains("asks back after its effects pay") == true)
        #expect(try result.data(of: .intentResponded)?["effects"] == ["pay"])
        #expect(ledger.closed == ["0:7"])
    }

    @Test("needsFormat2SaysSo: a question of handle is an error while format 1 is written, and begins no round")
    func handleNeedsFormat2() async throws {
        let ledger = InMemoryLedger()
        let conversation = Self.handling(format: 1, ledger) { _, _ in .asking(\.$time, .needsValue()) }
        let result = try await conversation.receive(.intentConfirmed, Self.resolved(), on: .confirmed)
        #expect(result.end?.reason == .error)
        #expect(result.failure?.message.contains("A question of handle needs format 2") == true)
        #expect(!result.record.reads.contains { $0.name == "fence" })
        #expect(ledger.closed == ["0:7"])
    }

    @Test("Without a store, handle asks back as well: there is no effect to fence")
    func handleAsksBackWithoutStore() async throws {
        let conversation = Self.handling(nil) { _, _ in .asking(\.$time, .needsValue()) }
        let result = try await conversation.receive(.intentConfirmed, Self.resolved(), on: .confirmed)
        #expect(result.record.outcome == .returned && result.record.reads.isEmpty)
    }

    @Test("Each round has idempotency keys of its own, and the first those of before")
    func roundsHaveTheirOwnKeys() throws {
        var interaction = Interaction.greeting()
        interaction.redrive.keys = .request
        let first = interaction.idempotencyKeys(deployment: "d")
        interaction.round = 1
        #expect(first == .request("0:7", deployment: "d"))
        #expect(interaction.idempotencyKeys(deployment: "d") == .request("0:7#1", deployment: "d"))
        interaction.redrive.keys = .interaction
        #expect(interaction.idempotencyKeys(deployment: "d") == .interaction("i1#1"))
        #expect(interaction.format == 2 && Interaction(json: interaction.json) == interaction)
    }

    // MARK: Rounds

    @Test("zombieOfEarlierRoundMakesNothing: a worker that was suspended before the user chose again has no result")
    func zombieOfEarlierRoundMakesNothing() async throws {
        let ledger = InMemoryLedger()
        let (begun, gate) = (Gate(), Gate())
        let registration = IntentRegistration {
            DeedHandler { _, context in
                begun.open()
                await gate.wait()
                try await context.effect("book") { _ in }
                return IntentResponse(code: .success)
            }
        }
        let event = StillTurn.stored(.intentConfirmed, Self.resolved(), on: .confirmed)
        let zombie = Task { try await StillTurn.run(event, in: .handle, [registration], ledger: ledger) }
        await begun.wait()
        let other = Self.handling(ledger) { _, _ in .asking(\.$time, .needsValue()) }
        let result = try await other.receive(.intentConfirmed, Self.resolved(), on: .confirmed)
        #expect(result.record.outcome == .returned)
        gate.open()
        #expect(try await zombie.value == nil)
        #expect(ledger.made.isEmpty)
        // The next round books.
        let next = Self.handling(ledger) { _, context in
            try await context.effect("book") { _ in }
            return IntentResponse(code: .success)
        }
        let booked = try await next.receive(.intentConfirmed, Self.resolved { $0.round = 1 }, on: .confirmed)
        #expect(booked.end?.reason == .nominal && ledger.made.count == 1)
    }

    @Test("crashAfterFenceEndsTheSame: a turn that runs again in its old round begins the same round")
    func crashAfterFenceEndsTheSame() async throws {
        let ledger = InMemoryLedger()
        for _ in 0..<2 {
            // Each has a state of its own: the first turn was not committed.
            let conversation = Self.handling(ledger) { _, _ in .asking(\.$time, .needsValue()) }
            let result = try await conversation.receive(.intentConfirmed, Self.resolved(), on: .confirmed)
            let data = try #require(try result.data(of: .interactionReturned))
            #expect(data["interaction"]?["round"] == 1)
        }
    }

    @Test("A conversation in which handle asks back makes its effect once, and replays as it was")
    func conversationWithRoundsReplays() async throws {
        let ledger = InMemoryLedger()
        let registration = IntentRegistration(confirmation: .never) {
            DeedHandler { intent, context in
                if intent.time == "9" { return .asking(\.$time, .disambiguation(with: ["10", "11"])) }
                try await context.effect("book") { _ in }
                return IntentResponse(code: .success)
            }
        }
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        try await Pipeline.with([registration], settings: settings, ledger: ledger) { pipeline in
            try await pipeline.request("TableIntent", ["time": "9"], subject: "i1")
            for _ in 0..<2 {
                let question = try await pipeline.next(of: "i1")
                #expect(question.data["askedBy"] == "handle" && question.data["attempt"] == "Initial")
                let isSecond = question.data["promptId"] == "i1/r/2"
                try await pipeline.answer(question, isSecond ? ["choice": 0] : ["value": "9"])
            }
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "nominal" && end.data["effects"] == ["book"])
            #expect(ledger.made.values.map(\.self) == [1])
            #expect(try await pipeline.replayAll([registration]).allSatisfy(\.isMatch))
        }
    }

    @Test("questionIsNotPassedOn: a redriven interaction has no questions, declines or rounds of the one before")
    func questionIsNotPassedOn() {
        var interaction = Interaction.greeting()
        var before = interaction.redriveState
        interaction.asked = ["name": Self.slotGone]
        interaction.declined["name", default: DeclinedValues()].append(["Ann"])
        interaction.round = 2
        // But for the keys, whose numbers continue.
        before.rounds = 2
        #expect(interaction.redriveState == before)
    }
}
