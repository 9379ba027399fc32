import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("What the stages decide")
struct StageDecisionTests {
    // MARK: Resolving

    /// An intent whose time depends on its place.
    private struct MeetIntent: Intent {
        @Parameter var place: String?
        @Parameter(dependsOn: [\Self.$place]) var time: String?
        @Parameter var guests: [String]?
    }

    /// Accepts places and times as they are said and records its calls; an unnamed guest is called `somebody`.
    private struct MeetHandler: IntentHandler {
        var log = CallLog()

        var handling: Handling<MeetIntent> {
            Resolve(\.$place) { said, _ in
                self.log.record("place \(said ?? "-")")
                return said.map { .success(with: $0) } ?? .notRequired()
            }
            Resolve(\.$time) { said, _ in
                self.log.record("time \(said ?? "-")")
                return said.map { .success(with: $0) } ?? .notRequired()
            }
            Resolve(\.$guests) { said, _ in
                (said ?? [])
                    .map { name in
                        switch name {
                        case "somebody": .disambiguation(with: ["Ann", "Bob"])
                        case "nobody": .unsupported()
                        default: .success(with: name)
                        }
                    }
            }
            Confirm { _, _ in IntentResponse(code: .ready, requiresUserConfirmation: true) }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    @Test("R18: changing a value resolves those that depend on it again, and no others")
    func changedValueResolvesDependents() async throws {
        let log = CallLog()
        try await Pipeline.with([IntentRegistration { MeetHandler(log: log) }]) { pipeline in
            let said: JSONObject = ["place": "Opera", "time": "noon", "guests": ["A"]]
            try await pipeline.request("MeetIntent", said, subject: "i1")
            for corrections in [["place": "Station"], ["time": "one"]] as [JSONValue] {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.data["kind"] == "intentConfirmation")
                try await pipeline.answer(prompt, ["action": "decline", "corrections": corrections])
            }
            _ = try await pipeline.next(of: "i1")
            #expect(log.all == ["place Opera", "time noon", "place Station", "time noon", "time one"])
        }
    }

    @Test("R20: of several unclear values of a list, the first is asked for, then the next")
    func asksForUnclearListValuesInOrder() async throws {
        try await Pipeline.with([IntentRegistration { MeetHandler() }]) { pipeline in
            let guests: JSONValue = ["A", "somebody", "somebody"]
            try await pipeline.request("MeetIntent", ["guests": guests], subject: "i1")
            for index in [1, 2] as [JSONValue] {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.data["kind"] == "disambiguation")
                #expect(prompt.data["index"] == index)
                try await pipeline.answer(prompt, ["choice": 0])
            }
            let confirmation = try await pipeline.next(of: "i1")
            #expect(confirmation.data["intent"]?["parameters"]?["guests"] == ["A", "Ann", "Ann"])
        }
    }

    @Test("R22d: a refused value of a list is asked for again, with the reason")
    func refusedListValueIsAskedForWithReason() async throws {
        try await Pipeline.with([IntentRegistration { MeetHandler() }]) { pipeline in
            try await pipeline.request("MeetIntent", ["guests": ["A", "nobody"]], subject: "i1")
            for reason in [.null, "notAccepted"] as [JSONValue] {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.data["index"] == 1)
                #expect(prompt.data["again"]?["reason"] ?? .null == reason)
                try await pipeline.answer(prompt, ["value": "nobody"])
            }
        }
    }

    @Test("R22: a choice that was not offered is asked for again, and counts as an attempt")
    func unknownChoiceIsAskedAgain() async throws {
        try await Pipeline.with([IntentRegistration { MeetHandler() }]) { pipeline in
            try await pipeline.request("MeetIntent", ["guests": ["somebody"]], subject: "i1")
            let first = try await pipeline.next(of: "i1")
            try await pipeline.answer(first, ["choice": 2])
            let second = try await pipeline.next(of: "i1")
            #expect(second.data["kind"] == "disambiguation")
            #expect(second.data["options"] == ["Ann", "Bob"])
            #expect(second.data["promptId"] == "i1/r/2")
            #expect(first.data["again"] == .null)
            #expect(
                second.data["again"] == [
                    "detail": "data.choice is 2, but the options are 0 to 1.", "reason": "noSuchChoice",
                ]
            )
            #expect(
                second.data["accepts"] == [
                    "actions": ["accept", "decline", "cancel"], "choices": 2,
                    "value": ["list": false, "type": "string"],
                ]
            )
            try await pipeline.answer(second, ["choice": 1])
            let confirmation = try await pipeline.next(of: "i1")
            #expect(confirmation.data["intent"]?["parameters"]?["guests"] == ["Bob"])
            #expect(confirmation.data["again"] == .null)
        }
    }

    /// An intent with declared limits.
    private struct PartyIntent: Intent {
        @Parameter(isRequired: true, in: 2...20) var guests: Int?
    }

    private struct PartyHandler: IntentHandler {
        var handling: Handling<PartyIntent> { Handle { _, _ in IntentResponse(code: .success) } }
    }

    @Test("R22: a repeated question says what was wrong with the last answer, and every question what it accepts")
    func repeatedQuestionGivesReasonAndHint() async throws {
        try await Pipeline.with([IntentRegistration { PartyHandler() }]) { pipeline in
            let conversations: [(subject: InteractionID, answers: [JSONObject], reasons: [JSONValue])] = [
                ("i1", [["action": "decline"], [:], ["value": 7]], [.null, "declined", "noAnswer"]),
                ("i2", [["value": 100], ["value": 7]], [.null, "notAccepted"]),
            ]
            for (subject, answers, reasons) in conversations {
                try await pipeline.request("PartyIntent", subject: subject)
                for (answer, reason) in zip(answers, reasons) {
                    let prompt = try await pipeline.next(of: subject)
                    #expect(prompt.data["again"]?["reason"] ?? .null == reason)
                    #expect(
                        prompt.data["accepts"] == [
                            "actions": ["accept", "decline", "cancel"],
                            "value": ["list": false, "maximum": 20, "minimum": 2, "type": "integer", "words": true],
                        ]
                    )
                    try await pipeline.answer(prompt, answer)
                }
                #expect(try await pipeline.next(of: subject).data["code"] == "success")
            }
        }
    }

    /// An answer, and what the prompt that follows it says: its kind and parameter, its attempt, why it is put again.
    private typealias Round = (answer: JSONObject, prompt: String, attempt: JSONValue, again: JSONValue)

    /// Values that begin with `x` are unsupported, and `?` is ambiguous.
    private static let choosy = IntentRegistration(confirmation: .never) {
        var handler = ProbeHandler()
        handler.resolve = { _, value in
            switch value?.first {
            case nil: .needsValue()
            case "x": .unsupported()
            case "?": .disambiguation(with: ["a", "b"])
            default: .success(with: value ?? "")
            }
        }
        return handler
    }

    private static let conversations: [String: (request: JSONObject, rounds: [Round])] = [
        "a decline with a correction of another parameter": (
            ["first": "x1", "second": "b"],
            [
                ([:], "unsupported:first", "Initial", .null),
                (
                    ["action": "decline", "corrections": ["second": "c"]], "unsupported:first", "Retry1", "declined"
                ),
                (["corrections": ["second": "d"]], "unsupported:first", "Retry1", "declined"),
            ]
        ),
        "a decline alone": (
            ["first": "x1", "second": "b"],
            [
                ([:], "unsupported:first", "Initial", .null),
                (["action": "decline"], "needsValue:first", "Retry1", "declined"),
                (["corrections": ["first": "x2"]], "unsupported:first", "Retry2", "notAccepted"),
            ]
        ),
        "a choice that there is not, with a correction of another parameter": (
            ["first": "x1", "second": "b"],
            [
                ([:], "unsupported:first", "Initial", .null),
                (["choice": 4, "corrections": ["second": "c"]], "unsupported:first", "Retry1", "noSuchChoice"),
            ]
        ),
        "another question in between": (
            ["first": "a", "second": "x1"],
            [
                ([:], "unsupported:second", "Initial", .null),
                (["corrections": ["first": "x2"]], "unsupported:first", "Initial", .null),
                (["value": "x3"], "unsupported:first", "Retry1", "notAccepted"),
                (["value": "a"], "unsupported:second", "Initial", .null),
            ]
        ),
        "a question that was settled in between": (
            ["first": "x1", "second": "b"],
            [
                ([:], "unsupported:first", "Initial", .null),
                (["value": "x2"], "unsupported:first", "Retry1", "notAccepted"),
                (["value": "a", "corrections": ["second": "x1"]], "unsupported:second", "Initial", .null),
                (["value": "b", "corrections": ["first": "x2"]], "unsupported:first", "Initial", .null),
            ]
        ),
        "a handler that asks on": (
            ["first": "?", "second": "b"],
            [
                ([:], "disambiguation:first", "Initial", .null),
                (["corrections": ["second": "c"]], "disambiguation:first", "Initial", .null),
            ]
        ),
    ]

    @Test(
        "R22: a repeated question says what was wrong with its last answer",
        arguments: Self.conversations.keys.sorted()
    )
    func saysWhyItIsPutAgain(_ name: String) async throws {
        let (parameters, rounds) = try #require(Self.conversations[name])
        try await Pipeline.with([Self.choosy]) { pipeline in
            try await pipeline.request("ProbeIntent", parameters, subject: "i1")
            var open: Event?
            for round in rounds {
                if let open { try await pipeline.answer(open, round.answer) }
                let prompt = try await pipeline.next(of: "i1")
                #expect(
                    "\(prompt.data["kind"]?.string ?? ""):\(prompt.data["parameter"]?.string ?? "")" == round.prompt
                )
                #expect(prompt.data["attempt"] == round.attempt)
                #expect(prompt.data["again"]?["reason"] ?? .null == round.again)
                open = prompt
            }
            // What was said of answers is in the state, and so in the journal.
            #expect(try await pipeline.replayAll([Self.choosy]).allSatisfy(\.isMatch))
        }
    }

    // MARK: Confirming

    @Test("R29: what the user said yes to has changed since: it is asked again, and done after the second yes")
    func changedConfirmationIsAskedAgain() async throws {
        let log = CallLog()
        let registration = IntentRegistration(confirmation: .always) {
            var handler = ProbeHandler(log: log)
            handler.confirm = { _ in
                // It increases once, between the first dry run and the second.
                let runs = log.all.count { $0 == "confirm" }
                return .init(code: .ready, details: ["price": .integer(runs == 1 ? 1 : 2)])
            }
            return handler
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            for shown in [1, 2] as [JSONValue] {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.data["kind"] == "intentConfirmation")
                #expect(prompt.data["response"]?["price"] == shown)
                #expect(prompt.data["again"]?["reason"] ?? .null == (shown == 1 ? .null : "changed"))
                #expect(!log.all.contains("handle"))
                try await pipeline.answer(prompt, ["action": "accept"])
            }
            #expect(try await pipeline.next(of: "i1").data["endReason"] == "nominal")
        }
    }

    @Test("R22: an answer that is neither yes nor no is asked again; false is a no")
    func unclearConfirmationIsAskedAgain() async throws {
        let log = CallLog()
        let registration = IntentRegistration(confirmation: .always) { ProbeHandler(log: log) }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("ProbeIntent", ["first": "a", "second": "b"], subject: "i1")
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "perhaps"])
            let second = try await pipeline.next(of: "i1")
            #expect(second.data["kind"] == "intentConfirmation")
            #expect(second.data["again"]?["reason"] == "notAccepted")
            #expect(second.data["accepts"]?["value"]?["type"] == "boolean")
            try await pipeline.answer(second, ["value": false])
            #expect(try await pipeline.next(of: "i1").data["endReason"] == "declined")
            #expect(!log.all.contains("handle"))
        }
    }

    // MARK: What comes too late, or from elsewhere

    @Test("R23: an answer to a prompt that the interaction's end has closed is superseded")
    func answerToClosedPromptIsSuperseded() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "abortedByUser")
            try await pipeline.answer(prompt, ["value": "Celestra"])
            let rejection = try await pipeline.next("the rejection") { $0.type == "event.rejected" }
            #expect(rejection.data["reason"] == "superseded")
        }
    }

    @Test("R5: what has been done already cannot be cancelled; it ends as usual")
    func doneIntentCannotBeCancelled() async throws {
        try await Pipeline.with([IntentRegistration { StartHandler() }], ledger: InMemoryLedger()) { pipeline in
            try await pipeline.request("StartIntent", ["name": "run"], subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["effects"] == ["start"])
            try await pipeline.send(.interactionCancelled, subject: "i1", data: ["user": ["id": "u1"]])
            let rejection = try await pipeline.next("the rejection") { $0.type == "event.rejected" }
            #expect(rejection.data["reason"] == "late")
            try await pipeline.send(.appResponded, subject: "i1", data: ["user": ["id": "u1"], "code": "success"])
            #expect(try await pipeline.end(of: "i1").data["code"] == "success")
        }
    }

    @Test(
        "R33: the app reports one of the intent's final codes, or its report is rejected",
        arguments: ["finished", "ready", "failureNoSuchCode"]
    )
    func unknownAppCodeIsRejected(code: String) async throws {
        try await Pipeline.with([IntentRegistration { StartHandler() }], ledger: InMemoryLedger()) { pipeline in
            try await pipeline.request("StartIntent", ["name": "run"], subject: "i1")
            _ = try await pipeline.next(of: "i1")
            try await pipeline.send(.appResponded, subject: "i1", data: ["user": ["id": "u1"], "code": .string(code)])
            let rejection = try await pipeline.next("the rejection") { $0.type == "event.rejected" }
            #expect(rejection.data["reason"] == "invalid")
            try await pipeline.send(.appResponded, subject: "i1", data: ["user": ["id": "u1"], "code": "success"])
            #expect(try await pipeline.end(of: "i1").data["code"] == "success")
        }
    }
}
