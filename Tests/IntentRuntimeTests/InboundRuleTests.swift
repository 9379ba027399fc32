import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing
import WireDocuments
import WireRules

@Suite("Stages refuse exactly what the description of inbound events forbids")
struct InboundRuleTests {
    private static let user: JSONValue = ["id": "u1"]
    private static let greet: JSONValue = ["name": "GreetIntent", "parameters": ["name": "Jeff"]]

    private static func isRight(_ type: EventType, _ data: JSONValue, subject: InteractionID? = "i1") -> Bool {
        var event: JSONObject = ["type": .string(type.rawValue), "data": data]
        event["subject"] = subject?.json
        return EventRule.of(type).structured.problem(in: event, .received) == nil
    }

    @Test(
        "Requests",
        arguments: [
            (["intent": greet, "user": user], true), (["intent": greet, "user": user, "device": .null], true),
            (["intent": greet, "user": user, "surprise": 1], true),
            (["intent": greet, "user": ["id": "u1", "authorization": "maybe"]], false),
            (["intent": greet, "user": ["id": "u1", "authenticated": "yes"]], false),
            (["intent": greet, "user": ["id": "u1", "contactsAccess": 1]], false),
            (["intent": greet, "user": user, "device": ["locked": "no"]], false),
            (["intent": greet, "user": user, "device": ["id": 5]], false),
            (["intent": greet, "user": user, "device": ["appVersion": 5]], false),
            (["intent": greet, "user": user, "locale": 5], false),
            (["intent": greet, "user": user, "timeZone": "Mars/Olympus"], true),
            (["intent": greet, "user": user, "timeZone": 5], false),
            (["intent": greet, "user": user, "groupIdentifier": 5], false),
            (["intent": greet, "user": user, "expiresAt": "noon"], false),
            (["intent": greet, "user": user, "presentation": ["context": "card"]], true),
            (["intent": greet, "user": user, "presentation": ["context": "wall"]], false),
            (["intent": greet, "user": user, "presentation": ["maximumSize": ["width": 1, "height": 20_000]]], false),
            (["intent": greet, "user": user, "presentation": ["maximumSize": ["width": -1, "height": 1]]], false),
            (["intent": greet, "user": user, "presentation": ["maximumSize": ["width": 1]]], false),
            (["intent": ["name": "GreetIntent", "parameters": []], "user": user], false),
        ] as [(JSONValue, Bool)]
    )
    func requestsAreRefusedAsDescribed(data: JSONValue, isRight: Bool) async throws {
        #expect(Self.isRight(.intentRequested, data) == isRight)
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.send(.intentRequested, subject: "i1", data: data)
            let reason: JSONValue = isRight ? "nominal" : "invalidRequest"
            #expect(try await pipeline.next(of: "i1").data["endReason"] == reason)
        }
    }

    @Test(
        "Answers and other events",
        arguments: [
            (.promptAnswered, ["promptId": "i1/r/1"], true, "i1"),
            (.promptAnswered, ["promptId": "i1/r/1", "choice": .null], true, "i1"),
            (.promptAnswered, ["promptId": "i1/r/1", "timeZone": "Europe/Berlin"], true, "i1"),
            (.promptAnswered, ["promptId": "i1/r/1", "timeZone": 5], false, "i1"),
            (.promptAnswered, [:], false, "i1"), (.promptAnswered, ["promptId": "i1"], false, "i1"),
            (.promptAnswered, ["promptId": "i1/r/1", "action": "maybe"], false, "i1"),
            (.promptAnswered, ["promptId": "i1/r/1", "choice": "one"], false, "i1"),
            (.promptAnswered, ["promptId": "i1/r/1", "corrections": []], false, "i1"),
            (.interactionCancelled, [:], true, "i1"), (.interactionCancelled, [:], false, nil),
            (.appResponded, ["code": "success"], false, nil), (.deviceUnlocked, [:], false, nil),
            (.vocabularyReplaced, ["type": "contactName", "strings": ["Jeff", ["spokenPhrase": "Jo"]]], true, nil),
            (.vocabularyReplaced, ["type": "names", "strings": []], false, nil),
            (.vocabularyReplaced, ["type": "contactName"], false, nil),
            (.vocabularyReplaced, ["type": "contactName", "strings": [5]], false, nil),
            (
                .vocabularyReplaced,
                ["type": "contactName", "strings": [.string(String(repeating: "x", count: 513))]], false, nil
            ),
        ] as [(EventType, JSONObject, Bool, InteractionID?)]
    )
    func otherEventsAreRefusedAsDescribed(type: EventType, data: JSONObject, isRight: Bool, subject: InteractionID?)
        async throws
    {
        let data = JSONValue.object(data.merging(["user": Self.user]) { $1 })
        #expect(Self.isRight(type, data, subject: subject) == isRight)
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            _ = try await pipeline.next(of: "i1")
            try await pipeline.send(type, subject: subject, data: data)
            // This interaction is unknown: the last stage says so, after it has processed what came before.
            try await pipeline.send(.interactionCancelled, subject: "nothing", data: ["user": Self.user])
            var rejections: [Event] = []
            while rejections.last?.subject != "nothing" {
                rejections.append(try await pipeline.next { $0.type == "event.rejected" })
            }
            #expect(rejections.contains { $0.data["reason"] == "invalid" } != isRight)
        }
    }
}
