public import IntentKit

/// What comes back in a conversation.
public enum TestStep: Hashable, Sendable {
    /// A question.
    case prompt(TestPrompt)
    /// An answer: the last one, or that it takes longer.
    case response(TestResponse)
    /// How things go on after the last answer: `status.updated`.
    case statusUpdate(JSONValue)
    /// Something that the test sent was refused: `event.rejected`.
    case rejected(reason: String, detail: String)

    /// The step in a few words.
    var words: String {
        switch self {
        case .prompt(let prompt): "the prompt \(prompt.words)"
        case .response(let response): "the response \(response.words)"
        case .statusUpdate(let data): "the status update \(data)"
        case .rejected(let reason, let detail): "a rejection (\(reason)): \(detail)"
        }
    }
}
