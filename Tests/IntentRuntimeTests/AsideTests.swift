import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R78: a conversation is set aside for another one, and comes back", .timeLimit(.minutes(1)))
struct AsideTests {
    private static let probe = IntentRegistration { ProbeHandler() }

    /// Asks for the first value of an intent, and leaves the prompt open.
    private static func asked(format: Int = 2) async throws -> StillConversation {
        let conversation = StillConversation(format: format, [Self.probe])
        try await conversation.request("ProbeIntent")
        #expect(conversation.prompt["promptId"] == "i1/r/1")
        return conversation
    }

    /// Requests another intent, which sets a prompt aside.
    private static func request(
        _ promptID: JSONValue,
        in conversation: StillConversation,
        at now: Timestamp = StillTurn.start
    ) async throws -> TurnResult {
        let data: JSONValue = [
            "intent": ["name": "ProbeIntent"], "setsAside": promptID, "user": ["id": "u1"],
        ]
        return try await conversation.receive(.intentRequested, data, on: .requests, at: now, about: "i2")
    }

    private static func recall(
        _ what: PromptRecall,
        _ promptID: JSONValue = "i1/r/1",
        in conversation: StillConversation,
        at now: Timestamp = StillTurn.start
    ) async throws -> TurnResult {
        let data: JSONValue = ["promptId": promptID, "user": ["id": "u1"], "what": .string(what.rawValue)]
        return try await conversation.receive(.promptRecalled, data, on: .signals, at: now)
    }

    @Test("setsAside: the new interaction carries the prompt, and the stage of the prompt is notified")
    func setsAside() async throws {
        let conversation = try await Self.asked()
        let result = try await Self.request("i1/r/1", in: conversation)
        #expect(result.events == [.promptRecalled, .promptIssued] && result.neededFormat == 2)
        #expect(
            try result.data(of: .promptRecalled) == ["promptId": "i1/r/1", "user": ["id": "u1"], "what": "aside"]
        )
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["setsAside"] == "i1" && prompt["front"] == nil && prompt["warnings"] == nil)
        let kept = try #require(result.written(.interaction("0:8"), Interaction.self))
        #expect(kept.setsAside?.description == "i1/r/1" && kept.format == 2)
        #expect(Interaction(text: kept.utf8) == kept)
    }

    @Test(
        "setsAsideNothing: of no open prompt of this user, the request is handled, and the member is named",
        arguments: ["i1/r/2", "i1/c/1", "i1/h/1", "i9/r/1", "i1", 1] as [JSONValue]
    )
    func setsAsideNothing(promptID: JSONValue) async throws {
        let result = try await Self.request(promptID, in: try await Self.asked())
        #expect(result.events == [.promptIssued])
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["setsAside"] == nil && prompt["warnings"]?.array?.first?["member"] == "setsAside")
    }

    @Test("setsAsideAnothersPrompt: a request that names another user's prompt is handled, and the member is named")
    func setsAsideAnothersPrompt() async throws {
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        try await Pipeline.with([Self.probe], settings: settings) { pipeline in
            try await pipeline.request("ProbeIntent", subject: "i1")
            let first = try await pipeline.next(of: "i1")
            let aside: JSONObject = ["setsAside": first.data["promptId"] ?? .null]
            try await pipeline.request("ProbeIntent", user: "u2", subject: "i2", extra: aside)
            let second = try await pipeline.next(of: "i2")
            #expect(second.data["setsAside"] == nil)
            #expect(second.data["warnings"]?.array?.first?["member"] == "setsAside")
            try await pipeline.answer(first, ["value": "a"])
            #expect(try await pipeline.next(of: "i1").data["parameter"] == "second")
        }
    }

    @Test("asideOfAside: each conversation returns to the one that it has set aside")
    func asideOfAside() async throws {
        let conversation = try await Self.asked()
        _ = try await Self.request("i1/r/1", in: conversation)
        let data: JSONValue = [
            "intent": ["name": "ProbeIntent"], "setsAside": "i2/r/1", "user": ["id": "u1"],
        ]
        let result = try await conversation.receive(.intentRequested, data, on: .requests, about: "i3")
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["setsAside"] == "i2" && prompt["warnings"] == nil)
        let cancellation: JSONValue = ["user": ["id": "u1"]]
        for (subject, other) in [("i3", "i2/r/1"), ("i2", "i1/r/1")] as [(InteractionID, JSONValue)] {
            let end = try await conversation.receive(.interactionCancelled, cancellation, on: .requests, about: subject)
            #expect(end.end?.reason == .abortedByUser)
            #expect(try end.data(of: .promptRecalled)?["promptId"] == other)
        }
    }

    @Test("Format 1 ignores the member, and names it")
    func needsFormat2() async throws {
        let result = try await Self.request("i1/r/1", in: try await Self.asked(format: 1))
        #expect(result.events == [.promptIssued] && result.neededFormat == 1)
        let prompt = try #require(try result.data(of: .promptIssued))
        #expect(prompt["warnings"]?.array?.first?["member"] == "setsAside")
    }

    private static let minute: Int64 = 60_000

    @Test("asidePromptWaits: its time is extended, ten times at most, and within the interaction's")
    func asidePromptWaits() async throws {
        let conversation = try await Self.asked()
        let first = try #require(conversation.interaction?.prompt?.expiresAt)
        let settings = RuntimeSettings()
        #expect(first == StillTurn.start + settings.promptTimeout.milliseconds)
        for number in 1...12 {
            let now = StillTurn.start + Int64(number) * 1_000
            let result = try await Self.recall(.aside, in: conversation, at: now)
            #expect(result.record.outcome == .noted && result.outputs.isEmpty)
            let prompt = try #require(conversation.interaction?.prompt)
            #expect(prompt.extensions == min(number, 10))
            #expect(prompt.expiresAt == first + Int64(min(number, 10)) * 1_000)
        }
        let other = try await Self.asked()
        let end = StillTurn.start + settings.maxAge.milliseconds
        _ = try await Self.recall(.aside, in: other, at: end + -Self.minute)
        #expect(other.interaction?.prompt?.expiresAt == end)
        #expect(other.interaction?.turns == 1)
    }

    @Test("frontPromptIsRepeated: with the same id, attempt and question; the answer to it counts")
    func frontPromptIsRepeated() async throws {
        let conversation = try await Self.asked()
        let before = conversation.prompt
        let result = try await Self.recall(.front, in: conversation, at: StillTurn.start + Self.minute)
        #expect(result.events == [.promptIssued] && result.record.outcome == .prompted)
        let again = conversation.prompt
        #expect(again["front"] == true)
        for member in ["promptId", "attempt", "options", "dialog", "kind", "parameter", "accepts"] {
            #expect(again[member] == before[member], "\(member)")
        }
        #expect(again["expiresAt"] != before["expiresAt"])
        try await conversation.answer(["value": "a"])
        #expect(conversation.summary == "needsValue:second Initial")
    }

    @Test("asideIsOver: a prompt that is not open any more is left alone", arguments: [PromptRecall.aside, .front])
    func asideIsOver(what: PromptRecall) async throws {
        let conversation = try await Self.asked()
        try await conversation.answer(["value": "a"])
        let result = try await Self.recall(what, in: conversation)
        #expect(result.outputs.isEmpty && result.writes.isEmpty && result.record.outcome == .ignored)
    }

    @Test("promptOfConfirmIsSetAside: its stage repeats what the user was shown")
    func promptOfConfirmIsSetAside() async throws {
        let registration = IntentRegistration(confirmation: .always) {
            var handler = ProbeHandler()
            handler.confirm = { _ in ProbeHandler.Response(code: .ready, details: ["price": 7]) }
            return handler
        }
        let conversation = StillConversation(in: .confirm, [registration])
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "ProbeIntent", parameters: ["first": "a", "second": "b"])
        let resolved: JSONValue = [
            "intent": interaction.intent.json, "interaction": interaction.json, "user": ["id": "u1"],
        ]
        try await conversation.receive(.intentResolved, resolved, on: .resolved)
        #expect(conversation.prompt["promptId"] == "i1/c/1")
        _ = try await Self.recall(.front, "i1/c/1", in: conversation)
        #expect(conversation.prompt["front"] == true && conversation.prompt["response"] == ["price": 7])
        #expect(try await conversation.answer([:]).record.outcome == .passed)
    }

    @Test("comesBackAfterEveryEndReason: in whichever stage it ends", arguments: Stage.allCases)
    func comesBackAfterEveryEnd(stage: Stage) async throws {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "ProbeIntent", parameters: ["first": "a", "second": "b"])
        interaction.setsAside = PromptID("i0/c/3")
        let data: JSONValue = [
            "corrections": [:], "intent": interaction.intent.json, "interaction": interaction.json,
            "user": ["id": "u1"],
        ]
        // No handler has the intent any more.
        let conversation = StillConversation(in: stage, [IntentRegistration { GreetHandler() }])
        let type: EventType =
            switch stage {
            case .resolve: .interactionReturned
            case .confirm: .intentResolved
            case .handle: .intentConfirmed
            }
        let result = try await conversation.receive(type, data, on: stage == .resolve ? .signals : stage.inputTopic)
        #expect(result.end?.reason == .unsupportedIntent)
        let response = try #require(try result.data(of: .intentResponded))
        #expect(response["next"] == "i0" && response["setsAside"] == "i0")
        #expect(
            try result.data(of: .promptRecalled) == ["promptId": "i0/c/3", "user": ["id": "u1"], "what": "front"]
        )
    }

    @Test("Two open prompts: the second conversation ends, the first comes back and is answered; all of it replays")
    func twoOpenPrompts() async throws {
        var settings = RuntimeSettings.unhurried
        settings.formats.writes = 2
        try await Pipeline.with([Self.probe], settings: settings) { pipeline in
            try await pipeline.request("ProbeIntent", subject: "i1")
            let first = try await pipeline.next(of: "i1")
            let aside: JSONObject = ["setsAside": first.data["promptId"] ?? .null]
            try await pipeline.request("ProbeIntent", ["first": "x"], subject: "i2", extra: aside)
            let second = try await pipeline.next(of: "i2")
            #expect(second.data["setsAside"] == "i1")
            try await pipeline.answer(second, ["value": "y"])
            let end = try await pipeline.end(of: "i2")
            #expect(end.data["next"] == "i1" && end.data["endReason"] == "nominal")
            let again = try await pipeline.next(of: "i1")
            #expect(again.data["front"] == true && again.data["promptId"] == first.data["promptId"])
            try await pipeline.answer(again, ["value": "a"])
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "b"])
            #expect(try await pipeline.end(of: "i1").data["next"] == nil)
            #expect(try await pipeline.replayAll([Self.probe]).allSatisfy(\.isMatch))
        }
    }
}
