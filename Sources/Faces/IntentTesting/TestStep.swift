public import IntentKit

/// A step that comes back in a conversation.
public enum TestStep: Hashable, Sendable {
    case prompt(TestPrompt)
    /// A response: the terminal one, or that handling takes longer.
    case response(TestResponse)
    /// News after the terminal response: `status.updated`.
    case statusUpdate(JSONValue)
    /// An event that the test sent was rejected: `event.rejected`.
    case rejected(reason: String, detail: String)

    /// The step in a few words.
    var description: String {
        switch self {
        case .prompt(let prompt): "the prompt \(prompt.description)"
        case .response(let response): "the response \(response.description)"
        case .statusUpdate(let data): "the status update \(data)"
        case .rejected(let reason, let detail): "a rejection (\(reason)): \(detail)"
        }
    }
}
