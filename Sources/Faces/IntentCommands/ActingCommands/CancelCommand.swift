import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime

/// `intentd cancel`: cancels an interaction (R82b).
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel an interaction: it ends as if its user had given up.",
        discussion: """
            Effects that can be undone are undone first. Once something has been done that cannot be undone, an interaction \
            is not cancelled: `show` then has the rejection of the act.
            """
    )

    @OptionGroup var acting: ActingOptions

    func run() async throws {
        try await self.acting.run("cancel") { try await $0.cancel($1) }
    }
}
