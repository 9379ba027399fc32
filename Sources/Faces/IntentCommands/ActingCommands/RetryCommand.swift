import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime

/// `intentd retry`: begins the next attempt of an interaction at once (R82c).
struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Begin the next attempt of an interaction at once.",
        discussion: """
            The interaction waits for its next attempt after a transient error. If it does not, nothing is written, and the \
            command says what the interaction is doing.
            """
    )

    @OptionGroup var acting: ActingOptions

    func run() async throws {
        try await self.acting.run("retry") { try await $0.retry($1) }
    }
}
