package import IntentKit

/// What can be done with dead letters.
package struct ConsoleLetters: Sendable {
    /// What became of one, or would.
    package struct Step: Hashable, Sendable {
        /// The letter, `partition/offset`.
        package var letter: String
        /// The interaction that it is sent again as; nil when it is not.
        package var interaction: String?
        /// What is done, in words.
        package var words: String
        /// Whether it can be sent.
        package var isPossible: Bool

        /// Describes what became of a letter.
        package init(letter: String, interaction: String?, words: String, isPossible: Bool) {
            self.letter = letter
            self.interaction = interaction
            self.words = words
            self.isPossible = isPossible
        }
    }

    /// A letter of that name whole, masked, as `dead-letters show --json` has it.
    package var show: @Sendable (_ letter: String) async throws -> JSONValue
    /// Sends requests again, or says what would be sent.
    package var redrive: @Sendable (_ letters: [String], _ isDryRun: Bool) async throws -> [Step]
    /// Whether requests may be sent, not only asked about.
    package var allowsSending: Bool

    /// Does these.
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
