package import IntentKit

/// The actions on dead letters.
package struct ConsoleLetters: Sendable {
    /// The actual or expected result for one letter.
    package struct Step: Hashable, Sendable {
        /// The letter, `partition/offset`.
        package var letter: String
        /// The interaction as which it is sent again; nil when it is not.
        package var interaction: String?
        /// The action, in words.
        package var words: String
        /// Whether it can be sent.
        package var isPossible: Bool

        /// Creates a result.
        package init(letter: String, interaction: String?, words: String, isPossible: Bool) {
            self.letter = letter
            self.interaction = interaction
            self.words = words
            self.isPossible = isPossible
        }
    }

    /// A dead letter by its name, masked, in the form of `dead-letters show --json`.
    package var show: @Sendable (_ letter: String) async throws -> JSONValue
    /// Sends requests again, or reports what would be sent.
    package var redrive: @Sendable (_ letters: [String], _ isDryRun: Bool) async throws -> [Step]
    /// Whether requests may really be sent.
    package var allowsSending: Bool

    /// Creates the actions from closures.
    package init(
        allowsSending: Bool,
        show: @escaping @Sendable (_ letter: String) async throws -> JSONValue,
        redrive: @escaping @Sendable (_ letters: [String], _ isDryRun: Bool) async throws -> [Step]
    ) {
        self.allowsSending = allowsSending
        self.show = show
        self.redrive = redrive
    }
}
