import Foundation
import IntentKit
import SampleApps
import Testing

@Suite("Confirming a message")
struct ConfirmMessageTests {
    let message: JSONObject = [
        "recipients": [["identifier": "diana", "spokenPhrase": "Diana"]], "content": "Great job on your presentation.",
    ]

    @Test("behaviours 39 and 44: the user sees who gets what, and nothing is sent")
    func confirmShowsMessageWithoutSending() async throws {
        let fixture = try MessagesFixture()
        let response = try await fixture.confirm(self.message)
        #expect(response.code == "ready")
        #expect(response.requiresUserConfirmation)
        #expect(response.details["content"] == "Great job on your presentation.")
        #expect(response.details["recipients"] == self.message["recipients"])
        #expect(response.details["serviceName"] == "UnicornChat")
        #expect(try fixture.store.query("SELECT * FROM messages").isEmpty)
    }

    @Test("A message to a group shows its members")
    func confirmShowsMembersOfGroup() async throws {
        let fixture = try MessagesFixture()
        let response = try await fixture.confirm(["speakableGroupName": "developers", "content": "Ship it"])
        #expect(response.code == "ready")
        #expect(response.details["recipients"]?.array?.map { $0["displayName"] } == ["Diana", "Scott"])
        #expect(response.details["speakableGroupName"]?["spokenPhrase"] == "developers")
    }

    @Test("behaviours 43, 62 and 66: a lapsed session leads to the app, which gets the error")
    func lapsedSessionContinuesInApp() async throws {
        let fixture = try MessagesFixture()
        try fixture.store.write { try UnicornService.setSession(of: "u1", expiresAt: TurnContext.testTime, in: $0) }
        let response = try await fixture.confirm(self.message)
        #expect(response.code == "failureRequiringAppLaunch")
        #expect(response.userActivity?.userInfo["error"] == "sessionLapsed")
        #expect(response.userActivity?.activityType == nil, "behaviour 61: the intent's name stands for it")
    }

    @Test("A valid session is ready, whatever another user's session is")
    func validSessionIsReady() async throws {
        let fixture = try MessagesFixture()
        try fixture.store.write { store in
            try UnicornService.setSession(of: "u1", expiresAt: TurnContext.testTime.addingTimeInterval(1), in: store)
            try UnicornService.setSession(of: "u2", expiresAt: .distantPast, in: store)
        }
        #expect(try await fixture.confirm(self.message).code == "ready")
    }

    @Test("R26: a user who is not signed in is asked to sign in")
    func requiresSignIn() async throws {
        var fixture = try MessagesFixture()
        fixture.user.isAuthenticated = false
        #expect(try await fixture.confirm(self.message).requiresAuthentication)
    }

    @Test("behaviour 42: the service is down, or unknown")
    func reportsUnavailableService() async throws {
        let fixture = try MessagesFixture()
        var elsewhere = self.message
        elsewhere["serviceName"] = "PegasusPost"
        #expect(try await fixture.confirm(elsewhere).code == "failureMessageServiceNotAvailable")
        try fixture.store.write { try UnicornService.setAvailable(true, service: "Pegasus Post", in: $0) }
        #expect(try await fixture.confirm(elsewhere).code == "ready")
        try fixture.store.write { try UnicornService.setAvailable(false, in: $0) }
        #expect(try await fixture.confirm(self.message).code == "failureMessageServiceNotAvailable")
        #expect(try await fixture.confirm(elsewhere).code == "ready")
    }

    @Test("behaviour 40: a message that is too long is refused")
    func refusesLongMessage() async throws {
        let fixture = try MessagesFixture(maximumContentLength: 5)
        var message = self.message
        message["content"] = "12345"
        #expect(try await fixture.confirm(message).code == "ready")
        message["content"] = "123456"
        let response = try await fixture.confirm(message)
        #expect(response.code == "failure")
        #expect(response.details["error"] == "contentTooLong")
        #expect(response.details["contentLength"] == 6)
        #expect(response.details["maximumContentLength"] == 5)
    }

    @Test("behaviour 40: a message with a forbidden word is refused, as a whole word")
    func refusesForbiddenWords() async throws {
        let fixture = try MessagesFixture()
        try fixture.store.write { try UnicornService.forbid("Narwhal", in: $0) }
        var message = self.message
        message["content"] = "narwhals are fine"
        #expect(try await fixture.confirm(message).code == "ready")
        message["content"] = "You NARWHAL!"
        let response = try await fixture.confirm(message)
        #expect(response.code == "failure")
        #expect(response.details["error"] == "contentForbidden")
        #expect(response.details["words"] == ["Narwhal"])
    }

    @Test("behaviour 41: a recipient of a group cannot be reached")
    func refusesUnreachableRecipient() async throws {
        let fixture = try MessagesFixture()
        try fixture.store.write { store in
            let group = ContactGroup("sky", identifier: "sky", members: ["diana", "stardust"])
            try AddressBook(of: "u1").add(group, in: store)
        }
        let response = try await fixture.confirm(["speakableGroupName": "sky", "content": "Hi"])
        #expect(response.code == "failure")
        #expect(response.details["error"] == "recipientUnreachable")
        #expect(response.details["unreachable"] == ["Stardust"])
    }

    @Test(
        "behaviour 48: an incomplete message is a failure",
        arguments: [
            [:], ["content": "Hi"], ["recipients": ["Diana"]], ["recipients": ["Jeff"], "content": "Hi"],
            ["speakableGroupName": "pirates", "content": "Hi"],
        ] as [JSONObject]
    )
    func incompleteMessageFails(parameters: JSONObject) async throws {
        let fixture = try MessagesFixture()
        let response = try await fixture.confirm(parameters)
        #expect(response.code == "failure")
        #expect(response.details["error"] == "incomplete")
    }

    @Test("behaviour 86: without access to contacts the user sees names and no addresses")
    func hidesAddressesWithoutContactsAccess() async throws {
        var fixture = try MessagesFixture()
        fixture.user.hasContactsAccess = false
        let response = try await fixture.confirm(["speakableGroupName": "neighbors", "content": "Hi"])
        let recipients = try #require(response.details["recipients"]?.array)
        #expect(recipients.map { $0["spokenPhrase"] } == ["Sparkle Sparkly", "Buttercup"])
        #expect(recipients.allSatisfy { $0["handle"] == nil })
    }
}
