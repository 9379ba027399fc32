import IntentEvents
import IntentKit
import Testing

@testable import IntentOperations

@Suite("Replies typed in a conversation")
struct TypedReplyTests {
    private static func event(_ type: EventType, _ data: JSONValue) -> Event {
        Event(id: "1", source: "/test", type: type, time: Timestamp(milliseconds: 0), userID: "anna", data: data)
    }

    private static func prompt(_ kind: String) -> Event {
        Self.event(.promptIssued, ["kind": .string(kind), "promptId": "i/r/1", "parameter": "content"])
    }

    private static func reply(_ line: String?, to event: Event) throws -> (type: EventType, data: JSONObject) {
        try TypedReply().event(line, to: event, deviceID: "terminal")
    }

    @Test("A locked device is unlocked, and a user signs in, with an event of its own (R26)")
    func unlockAndSignInSendOwnEvents() throws {
        let unlocked = try Self.reply("unlock", to: Self.prompt("unlockRequired"))
        #expect(unlocked.type == .deviceUnlocked)
        #expect(unlocked.data == ["device": ["id": "terminal"]])
        let signedIn = try Self.reply("sign in", to: Self.prompt("authenticationRequired"))
        #expect(signedIn.type == .userAuthenticated)
        #expect(signedIn.data.isEmpty)
    }

    @Test("Every prompt can be cancelled, also by the end of the input", arguments: ["cancel", " Stop ", nil])
    func everyPromptCanBeCancelled(line: String?) throws {
        for kind in ["unlockRequired", "authenticationRequired", "needsValue", "intentConfirmation"] {
            let reply = try Self.reply(line, to: Self.prompt(kind))
            #expect(reply.type == .promptAnswered, "\(kind)")
            #expect(reply.data == ["action": "cancel", "promptId": "i/r/1"], "\(kind)")
        }
    }

    @Test("What is handed to the app can be answered in its place (R33)")
    func answersForTheApp() throws {
        let handedOver = Self.event(.intentResponded, ["code": "handleInApp", "terminal": false])
        #expect(TypedReply().hint(handedOver) != nil)
        let reply = try Self.reply(" success ", to: handedOver)
        #expect(reply.type == .appResponded)
        #expect(reply.data == ["code": "success"])
        #expect(try Self.reply(nil, to: handedOver).data == ["code": "failure"])
    }

    @Test("Progress and status updates ask for nothing")
    func progressAsksForNothing() {
        #expect(TypedReply().hint(Self.event(.intentResponded, ["code": "inProgress", "terminal": false])) == nil)
        #expect(TypedReply().hint(Self.event(.statusUpdated, [:])) == nil)
    }
}
