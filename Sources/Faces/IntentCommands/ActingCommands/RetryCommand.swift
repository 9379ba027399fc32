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

    @Argument(help: "The interaction's id (ce_subject).", transform: IdentityArgument.read)
    var interaction: String

    @Option(
        help: "The user, if several users have an open interaction with this id.",
        transform: IdentityArgument.read
    )
    var user: String?

    @OptionGroup var acting: ActingOptions

    func validate() throws { try self.acting.operator.requireReason() }

    func run() async throws {
        try await self.acting.run("retry", on: self.interaction, of: self.user) { try await $0.retry($1) }
    }
}
