import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Marking messages")
struct SetMessageAttributeTests {
    private func fixture() throws -> IntentFixture {
        try IntentFixture(MessagesExtension.make(), "INSetMessageAttributeIntent")
    }

    private func mark(_ identifiers: [String], _ attribute: String) -> JSONObject {
        ["identifiers": .array(identifiers.map(JSONValue.string)), "attribute": .string(attribute)]
    }

    private func state(_ identifier: String, _ fixture: IntentFixture) throws -> [String] {
        let rows = try fixture.store.query("SELECT * FROM messages WHERE identifier = '\(identifier)'")
        return ["is_read", "is_flagged", "is_played"].filter { rows.first?[$0] == 1 }
    }

    @Test("behaviour 59: every attribute is set, and the next search sees it")
    func setsAttributesThatSearchSees() async throws {
        let fixture = try self.fixture()
        let recording = "inbox-4-u1"
        for (number, (attribute, expected)) in [
            ("flagged", ["is_flagged"]), ("played", ["is_read", "is_flagged", "is_played"]),
            ("unflagged", ["is_read", "is_played"]), ("unread", ["is_played"]), ("read", ["is_read", "is_played"]),
        ]
        .enumerated() {
            let response = try await fixture.handle(self.mark([recording], attribute), as: "\(number)/")
            #expect(response.code == "success")
            #expect(response.details["attribute"] == .string(attribute))
            #expect(try self.state(recording, fixture) == expected)
        }
        let search = try IntentFixture(MessagesExtension.make(), "INSearchForMessagesIntent", store: fixture.store)
        let found = try await search.handle(["attributes": ["read", "played"]]).details["messages"]?.array
        #expect(found?.map { $0["identifier"] } == [.string(recording)])
    }

    @Test("behaviour 19: a missing or unknown attribute is asked for", arguments: [nil, "unknown"])
    func asksForMissingOrUnknownAttribute(attribute: String?) async throws {
        let parameters: JSONObject = attribute.map { ["attribute": .string($0)] } ?? [:]
        #expect(try await self.fixture().resolve("attribute", parameters) == [.needsValue])
    }

    @Test("failureMessageNotFound: a missing message or another user's, and none is marked")
    func failsForMessageThatIsNotFound() async throws {
        let fixture = try self.fixture()
        try fixture.change { try UnicornService.addDemoData(for: "u2", in: $0) }
        for other in ["nothing", "inbox-1-u2"] {
            let marks = self.mark(["inbox-1-u1", other], "flagged")
            #expect(try await fixture.confirm(marks).code == "failureMessageNotFound")
            let response = try await fixture.handle(marks)
            #expect(response.code == "failureMessageNotFound")
            #expect(response.details["identifiers"] == [.string(other)])
            #expect(try self.state("inbox-1-u1", fixture).isEmpty)
        }
    }

    @Test("failureMessageAttributeNotSet: a text cannot be played, and the user's own message is never unread")
    func failsForAttributeThatCannotBeSet() async throws {
        let fixture = try self.fixture()
        let chat = try IntentFixture(MessagesExtension.make(), "INSendMessageIntent", store: fixture.store)
        #expect(try await chat.handle(["recipients": ["Diana"], "content": "Hi"]).code == "success")
        for marks in [self.mark(["inbox-1-u1"], "played"), self.mark(["id-1"], "unread")] {
            #expect(try await fixture.confirm(marks).code == "failureMessageAttributeNotSet")
            #expect(try await fixture.handle(marks).code == "failureMessageAttributeNotSet")
        }
        #expect(try await fixture.confirm(self.mark(["id-1"], "flagged")).code == "ready")
    }

    @Test("behaviours 42 and 43: the session has lapsed or ended, or the service is down")
    func reportsSessionAndService() async throws {
        let fixture = try self.fixture()
        let marks = self.mark(["inbox-1-u1"], "read")
        try fixture.change { try UnicornService.setAvailable(false, in: $0) }
        #expect(try await fixture.confirm(marks).code == "failure")
        try fixture.change { try UnicornService.setSession(of: "u1", expiresAt: .distantPast, in: $0) }
        #expect(try await fixture.confirm(marks).code == "failureRequiringAppLaunch")
        try fixture.change { try UnicornService.signOut("u1", at: TurnContext.testTime, in: $0) }
        #expect(try await fixture.confirm(marks).code == "failureRequiringAppLaunch")
    }

    @Test("behaviours 48 and 52: without messages or an attribute it fails")
    func incompleteIntentFails() async throws {
        let fixture = try self.fixture()
        for parameters in [[:], ["identifiers": ["inbox-1-u1"]], ["attribute": "read"]] as [JSONObject] {
            #expect(try await fixture.confirm(parameters).code == "failure")
            #expect(try await fixture.handle(parameters).code == "failure")
        }
    }
}
