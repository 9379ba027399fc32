import IntentKit
import IntentTesting
import SiriKitIntents
import Testing

@Suite("A handler without resolvers uses values as they are")
struct DefaultResolutionTests {
    private struct AudioCall: INStartAudioCallIntentHandling {
        func handle(
            intent: INStartAudioCallIntent,
            context: TurnContext
        ) async throws -> IntentResponse<INStartAudioCallIntent> { IntentResponse(code: .continueInApp) }
    }

    private struct VideoCall: INStartVideoCallIntentHandling {
        func handle(
            intent: INStartVideoCallIntent,
            context: TurnContext
        ) async throws -> IntentResponse<INStartVideoCallIntent> { IntentResponse(code: .continueInApp) }
    }

    private struct Call: INStartCallIntentHandling {
        func handle(
            intent: INStartCallIntent,
            context: TurnContext
        ) async throws -> IntentResponse<INStartCallIntent> { IntentResponse(code: .continueInApp) }
    }

    private struct Send: INSendMessageIntentHandling {
        func handle(
            intent: INSendMessageIntent,
            context: TurnContext
        ) async throws -> IntentResponse<INSendMessageIntent> { IntentResponse(code: .success) }
    }

    private struct Search: INSearchForMessagesIntentHandling {
        func handle(
            intent: INSearchForMessagesIntent,
            context: TurnContext
        ) async throws -> IntentResponse<INSearchForMessagesIntent> { IntentResponse(code: .success) }
    }

    private static let handlers = IntentExtension("Plain") {
        IntentRegistration { AudioCall() }
        IntentRegistration { VideoCall() }
        IntentRegistration { Call() }
        IntentRegistration { Send() }
        IntentRegistration { Search() }
    }

    /// The parameters that are lists, by intent, with two values of each.
    private static let parameters: [(intent: String, parameter: String, values: [JSONValue])] = [
        ("INStartAudioCallIntent", "contacts", Self.people), ("INStartVideoCallIntent", "contacts", Self.people),
        ("INStartCallIntent", "contacts", Self.people), ("INSendMessageIntent", "recipients", Self.people),
        ("INSearchForMessagesIntent", "recipients", Self.people), ("INSearchForMessagesIntent", "senders", Self.people),
        ("INSearchForMessagesIntent", "speakableGroupNames", Self.groups),
    ]
    private static let people = [INPerson(displayName: "Kim").json, INPerson(displayName: "Ada").json]
    private static let groups = [
        INSpeakableString(spokenPhrase: "Family").json, INSpeakableString(spokenPhrase: "Work").json,
    ]

    @Test(
        "A list's values are resolved one by one, and there is no value where none was said",
        arguments: Self.parameters.indices
    )
    func listsResolveValueByValue(index: Int) async throws {
        let (intent, parameter, values) = Self.parameters[index]
        let handler = try TestHandler(intent, of: Self.handlers)
        let all = try await handler.resolve(parameter, in: [parameter: .array(values)])
        #expect(all == .perValue(values.map(ResolutionOutcome.success)))
        #expect(try await handler.resolve(parameter, in: [:]) == .perValue([.notRequired]))
        #expect(try await handler.resolve(parameter, in: [parameter: []]) == .perValue([.notRequired]))
    }

    @Test("A single value is used, and there is none where none was said")
    func singleValuesResolve() async throws {
        for (intent, parameter, value) in [
            ("INSendMessageIntent", "content", "hello"), ("INStartAudioCallIntent", "destinationType", "emergency"),
            ("INStartCallIntent", "callCapability", "videoCall"),
        ] as [(String, String, JSONValue)] {
            let handler = try TestHandler(intent, of: Self.handlers)
            #expect(try await handler.resolve(parameter, in: [parameter: value]) == .single(.success(value)))
            #expect(try await handler.resolve(parameter, in: [:]) == .single(.notRequired))
        }
    }

    @Test("Confirm is ready, and there are no updates")
    func confirmIsReadyWithoutUpdates() async throws {
        let handler = try TestHandler("INSendMessageIntent", of: Self.handlers)
        let response = try await handler.confirm(["content": "hello"])
        #expect(response.code == "ready")
        #expect(!response.requiresUserConfirmation)
    }
}
