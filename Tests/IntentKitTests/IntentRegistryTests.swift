import IntentKit
import Testing

@Suite("R15: the registry")
struct IntentRegistryTests {
    struct Ping: Intent {
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }
        @Parameter var text: String?
    }

    struct PingHandler: IntentHandler {
        var handling: Handling<Ping> { Handle(self.handle) }

        func handle(intent: Ping, context: TurnContext) async throws -> IntentResponse<Ping> {
            IntentResponse(code: .success)
        }
    }

    private func error(_ extensions: [IntentExtension]) -> String {
        do throws(IntentRegistry.ConfigurationError) {
            _ = try IntentRegistry(extensions)
            return ""
        } catch {
            return error.description
        }
    }

    private let ping = IntentExtension("Pings") { IntentRegistration { PingHandler() } }

    @Test("An unsupported intent has no entry (behaviour 2)")
    func unsupportedIntentHasNoEntry() throws {
        let registry = try IntentRegistry([self.ping])
        #expect(registry.intentNames == ["Ping"])
        #expect(registry["Ping"]?.extensionName == "Pings")
        #expect(registry["Pong"] == nil)
    }

    @Test("An intent claimed twice names both extensions")
    func reportsIntentClaimedByTwoExtensions() {
        var other = self.ping
        other.name = "Pongs"
        let message = self.error([self.ping, other])
        #expect(message.contains("Ping ") && message.contains("Pings") && message.contains("Pongs"))
    }

    @Test("An intent registered twice in one extension is named")
    func reportsIntentRegisteredTwice() {
        let twice = IntentExtension("Pings") {
            IntentRegistration { PingHandler() }
            IntentRegistration { PingHandler() }
        }
        #expect(self.error([twice]) == "Ping is registered twice in Pings: keep one IntentRegistration (R15).")
    }

    @Test("An intent that is restricted while locked, but not supported, is named with its extension (behaviour 5)")
    func reportsRestrictedUnsupportedIntent() {
        var other = self.ping
        other.restrictedWhileLocked = ["Pong"]
        let message = self.error([other])
        #expect(message.contains("Pings") && message.contains("Pong"))
    }

    private struct PingPresenter: IntentPresenter {
        func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView? { nil }
    }

    @Test("An intent has at most one presenter; a second one, and one for an unsupported intent, are named")
    func reportsSecondAndUselessPresenters() throws {
        let drawing = IntentUIExtension("Bubbles", supportedIntents: ["Ping"], presenter: PingPresenter())
        #expect(try IntentRegistry([self.ping])["Ping"]?.presenter == nil)
        #expect(try IntentRegistry([self.ping], presentation: [drawing])["Ping"]?.presenter != nil)
        func error(_ presentation: [IntentUIExtension]) -> String {
            do throws(IntentRegistry.ConfigurationError) {
                _ = try IntentRegistry([self.ping], presentation: presentation)
                return ""
            } catch {
                return error.description
            }
        }
        let other = IntentUIExtension("Boxes", supportedIntents: ["Ping"], presenter: PingPresenter())
        #expect(error([drawing, other]).hasPrefix("Ping is drawn by two presenters, one of them Boxes's"))
        let unknown = IntentUIExtension("Boxes", supportedIntents: ["Pong"], presenter: PingPresenter())
        #expect(error([unknown]).hasPrefix("Boxes draws Pong, which has no handler"))
    }

    private struct TwoMinds: IntentHandler {
        var handling: Handling<Ping> {
            Resolve(\.$text) { _, _ in .needsValue() }
            Resolve(\.$text) { _, _ in .notRequired() }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    @Test("A handler that does not fit its intent is an error at start (behaviour 3)")
    func reportsHandlerOfWrongProtocol() {
        let message = self.error([IntentExtension("Minds") { IntentRegistration { TwoMinds() } }])
        #expect(message == "TwoMinds has two resolvers of Ping.text: keep one Resolve(\\.$text).")
    }

    @Test("R26: a financial intent is restricted while locked, whatever the extension says (behaviour 84)")
    func financialIntentIsRestrictedWhileLocked() throws {
        let paying = IntentExtension("Paying") {
            IntentRegistration(confirmation: .never, isFinancial: true) { PingHandler() }
        }
        let entry = try #require(try IntentRegistry([paying])["Ping"])
        #expect(entry.isRestrictedWhileLocked)
        #expect(entry.registration.effectiveConfirmation == .always)
    }

    @Test("R25: a value of a wrong type is left out of an intent made from events")
    func wrongTypesAreLeftOutOfIntent() {
        #expect(Ping(parameters: ["text": "hi", "other": 1]).text == "hi")
        #expect(Ping(parameters: ["text": 4]).text == nil)
    }
}
