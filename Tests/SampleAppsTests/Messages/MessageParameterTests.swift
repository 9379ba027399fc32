import IntentKit
import SiriKitIntents
import Testing

@Suite("Other parameters of a message")
struct MessageParameterTests {
    @Test("behaviour 29: text that is missing or empty is asked for", arguments: [nil, "", "  \n"])
    func asksForMissingOrEmptyText(text: String?) async throws {
        let fixture = try MessagesFixture()
        let parameters: JSONObject = text.map { ["content": .string($0)] } ?? [:]
        #expect(try await fixture.resolve("content", parameters) == [.needsValue])
    }

    @Test("Text is taken as it is")
    func takesTextAsItIs() async throws {
        let fixture = try MessagesFixture()
        #expect(try await fixture.resolve("content", ["content": " Hi! "]) == [.success(" Hi! ")])
    }

    @Test(
        "behaviour 31: groups are found by any part of their names",
        arguments: [("neigh", "neighbors"), ("WORK", "coworkers"), ("developers", "developers")]
    )
    func findsGroupByPartOfName(said: String, expected: String) async throws {
        let fixture = try MessagesFixture()
        let outcomes = try await fixture.resolve("speakableGroupName", ["speakableGroupName": .string(said)])
        let group: JSONValue = ["spokenPhrase": .string(expected), "identifier": .string(expected)]
        #expect(outcomes == [.success(group)])
    }

    @Test("behaviour 26: several matching groups are offered, none is unsupported (R21)")
    func offersSeveralGroups() async throws {
        let fixture = try MessagesFixture()
        guard
            case .disambiguation(let options)? =
                try await fixture.resolve(
                    "speakableGroupName",
                    ["speakableGroupName": "ers"]
                )
                .first
        else {
            Issue.record("coworkers and developers are a choice")
            return
        }
        #expect(options.map { $0.value["spokenPhrase"] } == ["coworkers", "developers"])
        let second = options[1].value
        let chosen = try await fixture.resolve("speakableGroupName", ["speakableGroupName": second])
        #expect(chosen == [.success(second)])
        let unknown = try await fixture.resolve("speakableGroupName", ["speakableGroupName": "pirates"])
        #expect(unknown == [.unsupported(nil)])
    }

    @Test(
        "behaviour 32: a group may be left out",
        arguments: [[:], ["speakableGroupName": ""]] as [JSONObject]
    )
    func groupIsOptional(parameters: JSONObject) async throws {
        let fixture = try MessagesFixture()
        #expect(try await fixture.resolve("speakableGroupName", parameters) == [.notRequired])
    }

    @Test("R25: the user's word for a group comes first")
    func vocabularyComesBeforeGroups() async throws {
        var fixture = try MessagesFixture()
        fixture.vocabularies[.contactGroupName] = [
            VocabularyEntry(spokenPhrase: "the gang", vocabularyIdentifier: "coworkers"),
            VocabularyEntry(spokenPhrase: "folks", pronunciationHint: "fokes"),
        ]
        let outcomes = try await fixture.resolve("speakableGroupName", ["speakableGroupName": "The Gang"])
        #expect(outcomes == [.success(["spokenPhrase": "coworkers", "identifier": "coworkers"])])
    }

    @Test("Only text can be sent: a recording would be an attachment")
    func onlyTextCanBeSent() async throws {
        let fixture = try MessagesFixture()
        func outcome(_ type: JSONValue?) async throws -> [ResolutionOutcome] {
            try await fixture.resolve("outgoingMessageType", type.map { ["outgoingMessageType": $0] } ?? [:])
        }
        #expect(try await outcome(nil) == [.notRequired])
        #expect(try await outcome("unknown") == [.notRequired])
        #expect(try await outcome("outgoingMessageText") == [.success("outgoingMessageText")])
        #expect(try await outcome("outgoingMessageAudio") == [.unsupported(nil)])
    }

    @Test("R17: a parameter without a resolver is taken as it is", arguments: ["serviceName", "sender", "nonsense"])
    func takesParameterWithoutResolverAsItIs(parameter: String) async throws {
        let fixture = try MessagesFixture()
        #expect(try await fixture.resolve(parameter, [:]).isEmpty)
    }

    @Test("R17, behaviours 9 and 47: a handler of messages needs only handle")
    func onlyHandleIsRequired() async throws {
        struct Handler: INSendMessageIntentHandling {
            func handle(
                intent: INSendMessageIntent,
                context: TurnContext
            ) async throws -> INSendMessageIntentResponse {
                INSendMessageIntentResponse(code: .success)
            }
        }
        let registration = IntentRegistration { Handler() }
        let context = TurnContext.testing(TestTurnHost(store: try TestStore()))
        let intent = IntentSnapshot(
            name: "INSendMessageIntent",
            parameters: ["recipients": ["A", "B"], "content": "Hi", "outgoingMessageType": "outgoingMessageAudio"]
        )
        let recipients = try await registration.resolve("recipients", intent, context)
        #expect(recipients == .perValue([.success(["spokenPhrase": "A"]), .success(["spokenPhrase": "B"])]))
        #expect(try await registration.resolve("content", intent, context) == .single(.success("Hi")))
        let type = try await registration.resolve("outgoingMessageType", intent, context)
        #expect(type == .single(.success("outgoingMessageAudio")))
        #expect(try await registration.resolve("speakableGroupName", intent, context) == .single(.notRequired))
        #expect(try await registration.confirm(intent, context).code == "ready")
    }
}
