package import IntentEvents

/// Sends what people say.
package struct ConsoleTalk: Sendable {
    /// What cannot be sent, in words for who typed it.
    package struct NotUnderstood: Error, Hashable {
        /// What is wrong, and what would be right.
        package var message: String

        /// Says what is wrong.
        package init(_ message: String) { self.message = message }
    }

    /// Who asks for what.
    package struct Request: Sendable {
        /// The intent.
        package var intent: String
        /// What was typed for its parameters, by name.
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

    /// Asks for an intent; the interaction's id.
    package var ask: @Sendable (Request) async throws -> InteractionID
    /// Says something to what came last; the device is the one at which it is said.
    package var reply: @Sendable (_ line: String, _ event: Event, _ device: String) async throws -> Void
    /// What can be typed there, in words; nil when nothing is waited for.
    package var hint: @Sendable (_ event: Event) -> String?

    /// Does these.
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
