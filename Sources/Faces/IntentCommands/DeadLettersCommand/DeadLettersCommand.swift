import ArgumentParser
import IntentOperations

/// `intentd dead-letters`: events that could not be processed (R48).
struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Inspect events that could not be processed, redrive their requests, or mark them as handled.",
        discussion:
            "Reads the dead-letter topic. Values of sensitive parameters are masked.",
        subcommands: [
            DeadLettersListCommand.self, DeadLettersShowCommand.self, DeadLettersRedriveCommand.self,
            DeadLettersHandleCommand.self,
        ]
    )
}

extension DeadLetterName {
    /// Reads a name on the command line.
    /// - Throws: `ValidationError` for other texts.
    static func argument(_ text: String) throws -> DeadLetterName {
        do throws(OperationError) {
            return try DeadLetterName(text)
        } catch {
            throw ValidationError(error.message)
        }
    }
}
