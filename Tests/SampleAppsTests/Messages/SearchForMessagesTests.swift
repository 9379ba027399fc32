@testable import DeclaredIntents
import Foundation
import IntentKit
@testable import SampleApps
@testable import SiriKitIntents
import Testing

@Suite("Searching messages")
struct SearchForMessagesTests {
    private func fixture(maximumResults: Int = 50) throws -> IntentFixture {
        let domain = MessagesExtension.make(maximumResults: maximumResults)
        let fixture = try IntentFixture(domain, "INSearchForMessagesIntent")
        // Beside the inbox: a message to two people (s1, s2), and one to Diana alone in a conversation (s3).
        let both = INMessage(identifier: "s1", content: "See you at éight")
        try fixture.change { store in
            try Self.send(both, "s1", to: "diana", at: "2026-11-19T10:00:00Z", in: store)
            try Self.send(both, "s2", to: "scott", at: "2026-11-19T10:00:00Z", in: store)
            var one = INMessage(identifier: "s3", conversationIdentifier: "barn", content: "Lunch?")
            one.groupName = INSpeakableString(spokenPhrase: "developers", identifier: "developers")
            try Self.send(one, "s3", to: "diana", at: "2026-11-20T10:00:00Z", in: store)
        }
        return fixture
    }

    /// Sends a message as the handler does.
    private static func send(
        _ message: INMessage,
        _ identifier: String,
        to contact: String,
        at time: String,
        in store: any StoreTransaction
    ) throws {
        var message = message
        let batch = message.identifier
        message.identifier = identifier
        message.dateSent = OffsetDateTime(time)
        try MessageStore.add(
            message,
            of: batch,
            from: "u1",
            to: Addressee(contact: Contact(contact, identifier: contact), person: INPerson(identifier: contact)),
            in: store
        )
    }

    private func found(_ parameters: JSONObject) async throws -> [String] {
        let response = try await self.fixture().handle(parameters)
        #expect(response.code == "success")
        return (response.details["messages"]?.array ?? []).compactMap { $0["identifier"]?.string }
            .map { $0.replacing("inbox-", with: "i").replacing("-u1", with: "") }
    }

    @Test(
        "behaviour 57: every operator with every parameter; the latest message first",
        arguments: [
            (["recipients": ["Diana"]], ["s3", "s1", "s2"]),
            (["recipients": ["Diana", "Scott"], "recipientsOperator": "all"], ["s1", "s2"]),
            (["recipients": ["Diana", "Scott"]], ["s1", "s2"]),
            (["recipients": ["Celestra", "Scott"], "recipientsOperator": "any"], ["s1", "s2"]),
            (["recipients": ["Scott"], "recipientsOperator": "none"], ["s3", "i4", "i3", "i2", "i1"]),
            (["senders": ["Celestra"]], ["i2", "i1"]),
            (["senders": ["Celestra", "Jeff Mane"]], []),
            (["senders": ["Celestra", "Jeff Mane"], "sendersOperator": "any"], ["i3", "i2", "i1"]),
            (["senders": ["Celestra", ["identifier": "u1"]], "sendersOperator": "none"], ["i4", "i3"]),
            (["searchTerms": ["LUNCH"]], ["s3", "i1"]),
            (["searchTerms": ["lunch", "meadow"]], ["i1"]),
            (["searchTerms": ["clover", "eight"], "searchTermsOperator": "any"], ["s1", "s2", "i2"]),
            (["searchTerms": ["lunch", "e"], "searchTermsOperator": "none"], ["i4"]),
            (["identifiers": ["s1", "inbox-2-u1"], "identifiersOperator": "any"], ["s1", "i2"]),
            (["identifiers": ["s1", "s2"]], []),
            (["identifiers": ["s1", "s2", "s3"], "identifiersOperator": "none"], ["i4", "i3", "i2", "i1"]),
            (["notificationIdentifiers": ["notification-3"]], ["i3"]),
            (
                [
                    "notificationIdentifiers": ["notification-3", "notification-1"],
                    "notificationIdentifiersOperator": "any",
                ], ["i3", "i1"]
            ),
            (
                ["notificationIdentifiers": ["notification-3"], "notificationIdentifiersOperator": "none"],
                ["s3", "s1", "s2", "i4", "i2", "i1"]
            ),
            (["speakableGroupNames": ["cowork"]], ["i3"]),
            (
                ["speakableGroupNames": ["coworkers", "developers"], "speakableGroupNamesOperator": "any"],
                ["s3", "i3"]
            ),
            (
                ["speakableGroupNames": ["coworkers", "developers"], "speakableGroupNamesOperator": "none"],
                ["s1", "s2", "i4", "i2", "i1"]
            ),
            (["conversationIdentifiers": ["lunch"]], ["i2", "i1"]),
            (
                ["conversationIdentifiers": ["lunch", "barn"], "conversationIdentifiersOperator": "any"],
                ["s3", "i2", "i1"]
            ),
            (
                ["conversationIdentifiers": ["lunch", "barn"], "conversationIdentifiersOperator": "none"],
                ["s1", "s2", "i4", "i3"]
            ),
            (["attributes": ["unread"]], ["i4", "i3", "i2", "i1"]),
            (["attributes": ["read"]], ["s3", "s1", "s2"]),
            (["attributes": ["flagged"]], []),
            (["attributes": ["unflagged", "read"]], ["s3", "s1", "s2"]),
            (["attributes": "played"], []),
            (["dateTimeRange": ["start": "2026-11-17", "end": "2026-11-19"]], ["s1", "s2", "i4", "i3"]),
            (["dateTimeRange": ["start": "2026-11-20"], "attributes": ["read"]], ["s3"]),
            (["senders": ["Celestra"], "searchTerms": ["lunch"], "dateTimeRange": ["end": "2026-11-15"]], ["i1"]),
            ([:], ["s3", "s1", "s2", "i4", "i3", "i2", "i1"]),
        ] as [(JSONObject, [String])]
    )
    func searchesByEveryOperatorAndParameter(parameters: JSONObject, expected: [String]) async throws {
        #expect(try await self.found(parameters) == expected)
    }

    @Test("A found message has what is known of it: people by name, files by reference")
    func foundMessageHasPeopleAndFiles() async throws {
        let response = try await self.fixture().handle(["identifiers": ["inbox-4-u1"]])
        let message = try #require(response.details["messages"].flatMap([INMessage].init(json:))?.first)
        #expect(message.messageType == .audio)
        #expect(message.attachments?.first?.name == "neigh.m4a")
        #expect(message.sender?.identifier == "sparkle")
        #expect(message.content == nil)
        #expect(message.serviceName == "UnicornChat")
        #expect(message.dateSent?.text == "2026-11-18T09:00:00.000Z")
    }

    @Test("Another user's messages are never found")
    func neverFindsOthersMessages() async throws {
        var fixture = try self.fixture()
        fixture.user = RequestingUser(id: "u2")
        let response = try await fixture.handle([:])
        #expect(response.code == "success")
        #expect(response.details["messages"] == [])
    }

    @Test("failureMessageTooManyResults, with the maximum")
    func reportsTooManyResults() async throws {
        let response = try await self.fixture(maximumResults: 3).handle(["attributes": ["unread"]])
        #expect(response.code == "failureMessageTooManyResults")
        #expect(response.userActivity?.userInfo["maximumResults"] == 3)
        let few = try await self.fixture(maximumResults: 3).handle(["attributes": ["read"]])
        #expect(few.code == "success")
    }

    @Test("behaviours 24, 25 and 26: people and groups, one result for each; none is required (32)")
    func resolvesPeopleAndGroups() async throws {
        let fixture = try self.fixture()
        for name in ["recipients", "senders"] {
            let outcomes = try await fixture.resolve(name, [name: ["Celestra", "Jeff", "Nobody"]])
            #expect(outcomes.first?.value?["identifier"] == "celestra")
            #expect(outcomes[1].options?.map { $0["identifier"] } == ["jeff-hoof", "jeff-mane"])
            #expect(outcomes[2].normalized == .unsupported(nil))
            #expect(try await fixture.resolve(name, [:]) == [.notRequired])
        }
        let groups = try await fixture.resolve("speakableGroupNames", ["speakableGroupNames": ["neigh", "ers", "x"]])
        #expect(groups.first?.value?["identifier"] == "neighbors")
        #expect(groups[1].options?.count == 2)
        #expect(groups[2].normalized == .unsupported(nil))
        #expect(try await fixture.resolve("speakableGroupNames", [:]) == [.notRequired])
    }

    @Test("behaviour 21: attributes and dates that exclude each other are unsupported")
    func refusesContradictions() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.resolve("attributes", ["attributes": ["read", "unread"]]) == [.unsupported(nil)])
        let both: JSONValue = ["unread", "flagged"]
        #expect(try await fixture.resolve("attributes", ["attributes": both]) == [.success(both)])
        #expect(try await fixture.resolve("attributes", ["attributes": []]) == [.notRequired])
        let backwards: JSONValue = ["start": "2026-11-20", "end": "2026-11-19"]
        #expect(try await fixture.resolve("dateTimeRange", ["dateTimeRange": backwards]) == [.unsupported(nil)])
        #expect(try await fixture.resolve("dateTimeRange", [:]) == [.notRequired])
    }

    @Test("behaviours 42 and 43: each code about the session and the service")
    func reportsSessionAndService() async throws {
        let fixture = try self.fixture()
        #expect(try await fixture.confirm([:]).code == "ready")
        try fixture.change { try UnicornService.setAvailable(false, in: $0) }
        #expect(try await fixture.confirm([:]).code == "failureMessageServiceNotAvailable")
        try fixture.change { try UnicornService.setSession(of: "u1", expiresAt: .distantPast, in: $0) }
        let lapsed = try await fixture.confirm([:])
        #expect(lapsed.code == "failureRequiringAppLaunch")
        #expect(lapsed.userActivity?.userInfo["error"] == "sessionLapsed")
        try fixture.change { try UnicornService.signOut("u1", at: TurnContext.testTime, in: $0) }
        #expect(try await fixture.confirm([:]).code == "failureRequiringInAppAuthentication")
        var stranger = fixture
        stranger.user.isAuthenticated = false
        #expect(try await stranger.confirm([:]).requiresAuthentication)
    }

    @Test(
        "failure for an unknown person or group",
        arguments: ["senders", "recipients", "speakableGroupNames"]
    )
    func failsForUnknownPersonOrGroup(parameter: String) async throws {
        #expect(try await self.fixture().handle([parameter: ["Nobody"]]).code == "failure")
    }
}
