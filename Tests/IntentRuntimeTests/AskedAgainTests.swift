import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Each test is named after a transition of an interaction that is asked again, in R22, R24 or R72.
@Suite("Resolve asks again", .timeLimit(.minutes(1)))
struct AskedAgainTests {
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

    @Test("declinedOfferAsksResolver: the resolver offers others, and sees all declined values")
    func declinedOfferAsksResolver() async throws {
        let conversation = TableHandler().conversation()
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
        let conversation = TableHandler().conversation()
        try await conversation.request("TableIntent", ["time": "perhaps"])
        #expect(conversation.summary == "confirmationRequired:time Initial")
        try await conversation.answer(["action": "decline", "corrections": ["guests": ["Z"]]])
        #expect(conversation.summary == "disambiguation:time Initial")
        #expect(conversation.prompt["options"] == ["10", "11"])
        #expect(conversation.prompt["intent"]?["parameters"] == ["guests": ["Z"]])

        // A choice with one declined value is still a choice.
        let forgetful = TableHandler(isForgetful: true).conversation()
        try await forgetful.request("TableIntent", ["time": "perhaps"])
        try await forgetful.answer(["action": "decline"])
        #expect(forgetful.summary == "disambiguation:time Initial")
        #expect(forgetful.prompt["options"] == ["9", "10"])
    }

    @Test("declinedValueOfferedAgain: a resolver that offers what was declined is overruled, until there is a value")
    func declinedValueOfferedAgain() async throws {
        let conversation = TableHandler(isForgetful: true).conversation()
        try await conversation.request("TableIntent", ["time": "soon"])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:time Initial declined")
        try await conversation.answer(["corrections": ["guests": ["Z"]]])
        #expect(conversation.summary == "needsValue:time Initial declined")
        try await conversation.answer(["value": "later"])
        #expect(conversation.summary == "disambiguation:time Retry1")
        #expect(conversation.prompt["options"] == ["9", "10"])

        let guessing = TableHandler(usual: "9").conversation()
        try await guessing.request("TableIntent", ["time": "perhaps"])
        try await guessing.answer(["action": "decline"])
        #expect(guessing.summary == "needsValue:time Initial declined")
        let other = TableHandler(usual: "11").conversation()
        try await other.request("TableIntent", ["time": "perhaps"])
        #expect(try await other.answer(["action": "decline"]).record.outcome == .passed)
    }

    @Test("A value whose offered meanings were declined is asked for, until the user gives it up")
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
        let conversation = TableHandler().conversation()
        try await conversation.request("TableIntent", ["time": "9", "guests": ["Z", "Sam"]])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.prompt["index"] == 1)
        #expect(conversation.summary == "confirmationRequired:guests Initial")
        #expect(conversation.prompt["item"] == "C")
        try await conversation.answer([:])
        #expect(conversation.interaction == nil)

        let forgetful = TableHandler(isForgetful: true).conversation()
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
        let conversation = TableHandler().conversation(behaviour: 5)
        try await conversation.request("TableIntent", ["time": "soon"])
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "needsValue:time Retry1 declined")
        #expect(conversation.interaction?.declined.isEmpty == true)
    }

    @Test("The last hundred declined values are kept; of a large value only a digest is kept, which is never shown")
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
        let conversation = TableHandler().conversation()
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
        let conversation = TableHandler().conversation()
        _ = try await Self.bringBack(Self.slotGone, to: conversation)
        try await conversation.answer(["corrections": ["guests": ["X"]]])
        #expect(conversation.summary == "disambiguation:time Initial notAccepted")
        #expect(conversation.prompt["options"] == ["10", "11"] && conversation.prompt["askedBy"] == "handle")
        #expect(conversation.prompt["intent"]?["parameters"]?["guests"] == ["X"])
        try await conversation.answer(["choice": 7])
        #expect(conversation.summary == "disambiguation:time Retry1 noSuchChoice")
        #expect(conversation.prompt["askedBy"] == "handle")
    }

    @Test("answerClearsReturnedQuestion: the resolver is called with the new value, and the interaction continues")
    func answerClearsReturnedQuestion() async throws {
        let conversation = TableHandler().conversation()
        _ = try await Self.bringBack(Self.slotGone, to: conversation)
        let result = try await conversation.answer(["choice": 1])
        #expect(result.record.outcome == .passed && result.record.handlerName == "TableHandler")
        let passed = try #require(try result.data(of: .intentResolved)?["interaction"])
        #expect(passed["intent"]?["parameters"]?["time"] == "11" && passed["asked"] == nil)

        let corrected = TableHandler().conversation()
        _ = try await Self.bringBack(Self.slotGone, to: corrected)
        #expect(try await corrected.answer(["corrections": ["time": "12"]]).record.outcome == .passed)
    }

    @Test("A declined question of a later stage asks the resolver, which offers others")
    func declinedReturnedQuestionAsksResolver() async throws {
        let conversation = TableHandler().conversation()
        _ = try await Self.bringBack(Self.slotGone, to: conversation)
        try await conversation.answer(["action": "decline"])
        #expect(conversation.summary == "disambiguation:time Initial")
        #expect(conversation.prompt["options"] == ["9", "12"] && conversation.prompt["askedBy"] == nil)
    }

    @Test("A declined question about a value of a list asks for that value, whatever else is corrected")
    func declinedReturnedQuestionOfListValue() async throws {
        for kind in [PromptKind.unsupported, .disambiguation] {
            let conversation = TableHandler().conversation()
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

    @Test("R57: records that carry a question have format 2, whatever the setting")
    func carriedMembersAreMarked() async throws {
        let conversation = TableHandler().conversation()
        let results = [
            try await Self.bringBack(Self.slotGone, to: conversation), try await conversation.answer(["choice": 1]),
        ]
        var assembler = TurnAssembler(environment: try StageEnvironment.tests(.resolve), partition: 0, chain: "")
        for result in results {
            #expect(result.neededFormat == 2)
            assembler.append(result, generation: 0)
        }
        assembler.appendState(user: "u1", "i/0:7", [], format: 2)
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

    @Test("An interaction with an unreadable question is unreadable")
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

    @Test("returnedTooOften: an interaction that is sent back repeatedly ends after the maximum number of turns")
    func returnedTooOften() async throws {
        let conversation = TableHandler().conversation()
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TableIntent", parameters: ["time": "9"])
        interaction.asked = ["time": Self.slotGone]
        interaction.turns = RuntimeSettings().maxTurns
        let data: JSONValue = ["corrections": [:], "interaction": interaction.json, "user": ["id": "u1"]]
        let result = try await conversation.receive(.interactionReturned, data, on: .signals)
        #expect(result.end?.reason == .tooManyAttempts)
    }

    @Test("questionIsNotPassedOn: a redriven interaction has no questions, declines or rounds of the one before")
    func questionIsNotPassedOn() {
        var interaction = Interaction.greeting()
        var before = interaction.redriveState
        interaction.asked = ["name": Self.slotGone]
        interaction.declined["name", default: DeclinedValues()].append(["Ann"])
        interaction.round = 2
        // Except the keys, whose numbers continue.
        before.rounds = 2
        #expect(interaction.redriveState == before)
    }
}
