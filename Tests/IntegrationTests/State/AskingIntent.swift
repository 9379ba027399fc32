import IntentKit

/// Needs a text, and asks for it.
struct AskingIntent: Intent {
    enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
    }

    var text: String?
    static let parameters: [IntentParameter<Self>] = [.init("text", \.text)]
}

struct AskingHandler: IntentHandler {
    static let resolvers: [ParameterResolver<Self>] = [.init(\.text, using: Self.resolveText)]

    func resolveText(for intent: AskingIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        intent.text.map { .success(with: $0) } ?? .needsValue()
    }

    func handle(intent: AskingIntent, context: TurnContext) async throws -> IntentResponse<AskingIntent> {
        IntentResponse(code: .success)
    }
}
