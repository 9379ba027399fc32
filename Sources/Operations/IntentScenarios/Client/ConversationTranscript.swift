package import IntentEvents
package import IntentKit

/// The events that came back in a conversation, in order.
package struct ConversationTranscript: Hashable, Sendable {
    package private(set) var events: [Event] = []
    /// The data of the prompts.
    package private(set) var prompts: [JSONValue] = []
    /// The data of every `intent.responded`.
    package private(set) var responses: [JSONValue] = []
    /// The data of the rejections.
    package private(set) var rejections: [JSONValue] = []
    /// The data of the terminal response.
    package private(set) var terminal: JSONValue?
    /// What was probably a mistake in the events that were sent, each once (R79).
    package private(set) var warnings: [JSONValue] = []

    package init() {}

    /// Adds an event; prompts and responses count only when they are this user's (R8).
    package mutating func append(_ event: Event, userID: UserID) {
        self.events.append(event)
        switch event.knownType {
        // One that is put once more is no new one (R78).
        case .promptIssued where event.userID == userID && event.data["front"] != true: self.prompts.append(event.data)
        case .eventRejected: self.rejections.append(event.data)
        case .intentResponded where event.userID == userID:
            self.responses.append(event.data)
            if event.data["terminal"]?.bool == true { self.terminal = self.terminal ?? event.data }
        default: break
        }
        guard event.userID == userID else { return }
        for warning in event.data["warnings"]?.array ?? [] where !self.warnings.contains(warning) {
            self.warnings.append(warning)
        }
    }

    /// The prompts in the form of an expectation: `needsValue:time`, `intentConfirmation`.
    package var promptNames: [String] { self.prompts.map(Self.name(ofPrompt:)) }

    /// A prompt in the form of an expectation.
    package static func name(ofPrompt data: JSONValue) -> String {
        let kind = data["kind"]?.string ?? "?"
        return data["parameter"]?.string.map { "\(kind):\($0)" } ?? kind
    }
}
