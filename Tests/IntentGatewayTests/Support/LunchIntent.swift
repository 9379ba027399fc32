import IntentKit

/// An intent with a required parameter, which is confirmed before it is handled.
struct LunchIntent: Intent {
    @Parameter(isRequired: true) var dish: String?
}

struct LunchHandler: IntentHandler {
    var handling: Handling<LunchIntent> {
        Handle { intent, _ in
            IntentResponse(code: .success, details: ["dish": .string(intent.dish ?? "")])
        }
    }
}
