import IntentKit

/// Requires a text, and asks for it.
struct AskingIntent: Intent {
    enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
    }

    @Parameter var text: String?
}

struct AskingHandler: IntentHandler {
    var handling: Handling<AskingIntent> {
        Resolve(by: self.resolveText, \.$text)
        Handle(self.handle)
    }

    func resolveText(for intent: AskingIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        intent.text.map { .success(with: $0) } ?? .needsValue()
    }

    func handle(intent: AskingIntent, context: TurnContext) async throws -> IntentResponse<AskingIntent> {
        IntentResponse(code: .success)
    }
}
