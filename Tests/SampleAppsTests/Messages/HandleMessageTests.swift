import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Sending a message")
struct HandleMessageTests {
    @Test("behaviours 53 and 57: one message is stored for each recipient, with time, sender, name and content")
    func storesOneMessagePerRecipient() async throws {
        let fixture = try MessagesFixture()
        let response = try await fixture.handle(["recipients": ["Diana", "Scott"], "content": "Are you ready?"])
        #expect(response.code == "success")
        let rows = try fixture.store.query("SELECT * FROM messages ORDER BY identifier")
        try #require(rows.count == 2)
        #expect(rows.map { $0["recipient_name"] } == ["Diana", "Scott"])
        #expect(rows.map { $0["identifier"] } == ["id-1", "id-2"])
        #expect(rows.map { $0["recipient_handle"] } == ["diana@unicorn.example", "scott@unicorn.example"])
        #expect(rows.allSatisfy { $0["sent_at"] == "2026-11-21T12:30:00.000Z" })
        #expect(rows.allSatisfy { $0["content"] == "Are you ready?" && $0["user_id"] == "u1" && $0["sender"] == "u1" })
        let sent = try #require([INMessage](json: response.details["sentMessages"] ?? .null))
        #expect(sent.map(\.identifier) == ["id-1", "id-2"])
        #expect(sent.map { $0.recipients?.first?.spokenPhrase } == ["Diana", "Scott"])
        #expect(sent.allSatisfy { $0.content == "Are you ready?" && $0.dateSent?.date == TurnContext.testTime })
    }

    @Test("R30: repeating the turn sends nothing and reports the same")
    func repeatedTurnSendsNothing() async throws {
        let fixture = try MessagesFixture()
        let message: JSONObject = ["recipients": ["Diana"], "content": "Hi"]
        let first = try await fixture.handle(message)
        let second = try await fixture.handle(message)
        #expect(first == second)
        #expect(try fixture.store.query("SELECT * FROM messages").count == 1)
    }

    @Test("A group's members and the recipients get the message once each")
    func membersAndRecipientsGetMessageOnce() async throws {
        let fixture = try MessagesFixture()
        let response = try await fixture.handle([
            "recipients": ["Celestra", "Diana"], "speakableGroupName": "developers", "content": "Hi",
            "sender": ["displayName": "Buttercup"], "conversationIdentifier": "c9",
        ])
        #expect(response.code == "success")
        let rows = try fixture.store.query("SELECT * FROM messages ORDER BY identifier")
        #expect(rows.map { $0["recipient"] } == ["celestra", "diana", "scott"])
        #expect(rows.allSatisfy { $0["group_name"] == "developers" && $0["conversation_identifier"] == "c9" })
        #expect(rows.allSatisfy { $0["sender"] == "Buttercup" && $0["user_id"] == "u1" })
    }

    @Test(
        "behaviour 52: missing data at handle is a failure, and nothing is stored",
        arguments: [
            [:], ["content": "Hi"], ["recipients": ["Diana"]], ["recipients": ["Diana"], "content": " "],
            ["recipients": ["Diana", "Nobody"], "content": "Hi"],
        ] as [JSONObject]
    )
    func failsWithMissingData(parameters: JSONObject) async throws {
        let fixture = try MessagesFixture()
        #expect(try await fixture.handle(parameters).code == "failure")
        #expect(try fixture.store.query("SELECT * FROM messages").isEmpty)
    }

    @Test("R30: a failure in the middle leaves nothing behind")
    func failureLeavesNothingBehind() async throws {
        let fixture = try MessagesFixture()
        try fixture.store.write { store in
            try store.execute(
                """
                CREATE TRIGGER no_scott BEFORE INSERT ON messages WHEN NEW.recipient = 'scott'
                BEGIN SELECT RAISE(ABORT, 'no'); END
                """,
                []
            )
        }
        await #expect(throws: (any Error).self) {
            try await fixture.handle(["recipients": ["Diana", "Scott"], "content": "Hi"])
        }
        #expect(try fixture.store.query("SELECT * FROM messages").isEmpty)
    }

    @Test("behaviour 86: without access to contacts the message is sent, and no address is reported")
    func sendsWithoutContactsAccess() async throws {
        var fixture = try MessagesFixture()
        fixture.user.hasContactsAccess = false
        let response = try await fixture.handle(["recipients": ["Diana"], "content": "Hi"])
        #expect(response.code == "success")
        let sent = try #require([INMessage](json: response.details["sentMessages"] ?? .null))
        #expect(sent.first?.recipients == [INPerson(spokenPhrase: "Diana")])
        #expect(try fixture.store.query("SELECT * FROM messages").first?["recipient_handle"] == "diana@unicorn.example")
    }

    @Test("R26: the intent is restricted while locked only if that is set")
    func isRestrictedWhileLockedOnRequest() throws {
        let open = try IntentRegistry([MessagesExtension.make()])
        let locked = try IntentRegistry([MessagesExtension.make(restrictedWhileLocked: true)])
        #expect(open["INSendMessageIntent"]?.isRestrictedWhileLocked == false)
        #expect(locked["INSendMessageIntent"]?.isRestrictedWhileLocked == true)
        #expect(open["INSendMessageIntent"]?.extensionName == "UnicornChat")
    }

    @Test("The codes, parameters and reasons are SiriKit's")
    func catalogIsSiriKits() throws {
        let registration = try MessagesFixture().registration
        #expect(
            registration.codes == [
                "unspecified", "ready", "inProgress", "success", "failure", "failureRequiringAppLaunch",
                "failureMessageServiceNotAvailable", "failureRequiringInAppAuthentication",
            ]
        )
        #expect(
            registration.parameters.map(\.name) == [
                "recipients", "outgoingMessageType", "content", "speakableGroupName", "conversationIdentifier",
                "serviceName", "sender", "attachments",
            ]
        )
        #expect(
            INSendMessageRecipientUnsupportedReason.allCases.map { "\($0.rawValue) \($0.name)" } == [
                "1 noAccount", "2 offline", "3 messagingServiceNotEnabledForRecipient", "4 noValidHandle",
                "5 requestedHandleInvalid", "6 noHandleForLabel",
            ]
        )
    }
}
