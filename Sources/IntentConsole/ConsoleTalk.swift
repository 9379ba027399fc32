package import IntentEvents

/// Sends what people say.
package struct ConsoleTalk: Sendable {
    /// Input that cannot be sent, with an explanation for the person who typed it.
    package struct NotUnderstood: Error, Hashable {
        /// What is wrong, and what would be right.
        package var message: String

        /// Creates the error.
        package init(_ message: String) { self.message = message }
    }

    /// A request for an intent.
    package struct Request: Sendable {
        /// The intent.
        package var intent: String
        /// The text typed for its parameters, by name.
        package var values: [(name: String, value: String)]
        /// The user.
        package var user: String
        /// The device.
        package var device: String
        /// Whether it is locked.
        package var isLocked: Bool
        /// Whether the user is signed in.
        package var isAuthenticated: Bool
        /// The user's language.
        package var locale: String
    }

    /// Asks for an intent; returns the interaction's id.
    package var ask: @Sendable (Request) async throws -> InteractionID
    /// Replies to the last event; the device is the one on which the reply is given.
    package var reply: @Sendable (_ line: String, _ event: Event, _ device: String) async throws -> Void
    /// What can be typed as a reply, in words; nil when no reply is expected.
    package var hint: @Sendable (_ event: Event) -> String?

    /// Creates it from closures.
    package init(
        ask: @escaping @Sendable (Request) async throws -> InteractionID,
        reply: @escaping @Sendable (_ line: String, _ event: Event, _ device: String) async throws -> Void,
        hint: @escaping @Sendable (_ event: Event) -> String?
    ) {
        self.ask = ask
        self.reply = reply
        self.hint = hint
    }
}
