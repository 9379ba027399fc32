import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Recordings attached to a message")
struct MessageAttachmentTests {
    let recording: JSONValue = ["name": "neigh.m4a", "type": "com.apple.m4a-audio", "url": "file:///tmp/neigh.m4a"]

    private func fixture() throws -> IntentFixture {
        try IntentFixture(MessagesExtension.make(), "INSendMessageIntent")
    }

    @Test("behaviour 15: a recording makes it an audio message, and text is not required (16)")
    func recordingMakesAudioMessage() async throws {
        let fixture = try self.fixture()
        let message: JSONObject = ["attachments": [self.recording]]
        #expect(try await fixture.resolve("outgoingMessageType", message) == [.success("outgoingMessageAudio")])
        #expect(try await fixture.resolve("content", message) == [.notRequired])
        var said = message
        said["outgoingMessageType"] = "outgoingMessageAudio"
        #expect(try await fixture.resolve("outgoingMessageType", said) == [.success("outgoingMessageAudio")])
        said["attachments"] = nil
        #expect(try await fixture.resolve("outgoingMessageType", said) == [.unsupported(nil)])
        #expect(try await fixture.resolve("content", said) == [.needsValue])
    }

    @Test("A recording is a reference: it needs a URL or an identifier")
    func recordingNeedsURLOrIdentifier() throws {
        let parameter = try #require(try self.fixture().registration.parameters.first { $0.name == "attachments" })
        #expect(parameter.isList)
        #expect(parameter.accepts(self.recording))
        #expect(parameter.accepts(["identifier": "file-1"]))
        #expect(!parameter.accepts(["name": "neigh.m4a"]))
        #expect(!parameter.accepts("neigh.m4a"))
    }

    @Test("behaviours 44 and 53: the user sees the recording before the yes, and it is stored with each message")
    func recordingIsShownAndStored() async throws {
        let fixture = try self.fixture()
        let message: JSONObject = ["recipients": ["Diana", "Scott"], "attachments": [self.recording]]
        let confirmation = try await fixture.confirm(message)
        #expect(confirmation.code == "ready")
        #expect(confirmation.details["attachments"] == [self.recording])
        let response = try await fixture.handle(message)
        #expect(response.code == "success")
        #expect(response.details["sentMessages"]?.array?.map { $0["messageType"] } == ["audio", "audio"])
        let rows = try fixture.store.query(
            "SELECT * FROM message_attachments WHERE message LIKE 'id-%' ORDER BY message"
        )
        #expect(rows.map { $0["message"] } == ["id-1", "id-2"])
        #expect(rows.allSatisfy { $0["url"] == "file:///tmp/neigh.m4a" && $0["type"] == "com.apple.m4a-audio" })
        let sent = try fixture.store.query("SELECT content, message_type, batch FROM messages WHERE NOT is_incoming")
        #expect(sent.allSatisfy { $0["content"] == .null && $0["message_type"] == "audio" && $0["batch"] == "id-1" })
    }

    @Test("behaviour 40: a file that is not a recording is refused")
    func refusesFileThatIsNoRecording() async throws {
        let file: JSONValue = ["type": "public.jpeg", "identifier": "picture", "name": "me.jpg"]
        let response = try await self.fixture().confirm(["recipients": ["Diana"], "attachments": [file]])
        #expect(response.code == "failure")
        #expect(response.details["error"] == "attachmentUnsupported")
    }

    @Test("failureRequiringInAppAuthentication: a user who has signed out signs in inside the app")
    func signedOutUserSignsInInApp() async throws {
        let fixture = try self.fixture()
        try fixture.change { try UnicornService.signOut("u1", at: TurnContext.testTime, in: $0) }
        let response = try await fixture.confirm(["recipients": ["Diana"], "content": "Hi"])
        #expect(response.code == "failureRequiringInAppAuthentication")
        #expect(response.userActivity?.userInfo["error"] == "signedOut")
    }

    @Test("behaviour 36: of two Jeffs the last recipient comes first, and the journal holds it")
    func lastRecipientComesFirst() async throws {
        var fixture = try self.fixture()
        func options() async throws -> [JSONValue?]? {
            try await fixture.resolve("recipients", ["recipients": ["Jeff"]]).first?.options?.map { $0["identifier"] }
        }
        #expect(
            try await options() == ["jeff-hoof", "jeff-mane"],
            "what came from Jeff Mane is no habit of the user's"
        )
        let mane: JSONValue = ["identifier": "jeff-mane"]
        #expect(try await fixture.handle(["recipients": [mane], "content": "Hi"], as: "a").code == "success")
        #expect(try await options() == ["jeff-mane", "jeff-hoof"])
        fixture.now += 1
        let hoof: JSONValue = ["identifier": "jeff-hoof"]
        #expect(try await fixture.handle(["recipients": [hoof], "content": "Hi"], as: "b").code == "success")
        #expect(try await options() == ["jeff-hoof", "jeff-mane"])
        fixture.user = RequestingUser(id: "u2")
        try fixture.change { try AddressBook.addDemoData(for: "u2", in: $0) }
        #expect(try await options() == ["jeff-hoof", "jeff-mane"], "another user's habits are another's")
    }
}

extension MessageAttachmentTests {
    @Test("behaviour 88: a recording is drawn by its name, as a draft and when it was sent")
    func presenterDrawsRecordingByName() throws {
        let sent = INMessage(identifier: "m1", attachments: [INSendMessageAttachment(name: "neigh.m4a", url: "file:")])
        for response in [[:], ["sentMessages": [sent].json]] as [JSONObject] {
            let interaction = PresentedInteraction(
                identifier: "i1",
                userID: "u1",
                locale: "en-US",
                intent: IntentSnapshot(name: "INSendMessageIntent", parameters: ["attachments": [self.recording]]),
                code: nil,
                response: response,
                handlingStatus: response.isEmpty ? .ready : .success
            )
            let view = try #require(TranscriptPresenter().view(of: interaction, in: Presentation()))
            #expect(view.html.text.contains(">neigh.m4a</p>"))
        }
    }
}
