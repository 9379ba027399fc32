import ArgumentParser
import IntentOperations

/// `intentd resume`: ends a pause (R82e).
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End the pause of an intent or an app: its interactions continue at once."
    )

    @OptionGroup var pause: PauseOptions

    func run() async throws {
        try await self.pause.run("resumed") { desk, target, stages in try await desk.resume(target, in: stages) }
    }
}
