public import IntentKit

/// A step that comes back in a conversation.
public enum TestStep: Hashable, Sendable {
    case prompt(TestPrompt)
    /// A response: the terminal one, or that handling takes longer.
    case response(TestResponse)
    /// News after the terminal response: `status.updated`.
    case statusUpdate(JSONValue)
    /// A notification of the handler: `user.notified`.
    case notification(name: String, dialog: String, details: JSONObject)
    /// An event that the test sent was rejected: `event.rejected`.
    case rejected(reason: String, detail: String)

    /// The step in a few words.
    var description: String {
        switch self {
        case .prompt(let prompt): "the prompt \(prompt.description)"
        case .response(let response): "the response \(response.description)"
        case .statusUpdate(let data): "the status update \(data)"
        case .notification(let name, let dialog, _): "the notification \(name): \(dialog)"
        case .rejected(let reason, let detail): "a rejection (\(reason)): \(detail)"
        }
    }
}
