import ArgumentParser
import IntentOperations

/// `intentd pause`: holds the interactions of an intent or an app (R82d).
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause an intent or an app: its interactions wait before their handlers are called.",
        discussion: """
            Nothing fails: interactions wait in the stages' state until `resume`, and their users get a response that \
            says so. Calls that are running, open prompts and undos continue. Workers that start later hold them too.
            """
    )

    @OptionGroup var pause: PauseOptions

    func run() async throws {
        try await self.pause.run("paused") { target, configuration in
            guard let intents = try? IntentSet(configuration) else { return }
            try target.check(in: intents.registry)
        } _: { desk, target, stages in
            try await desk.pause(target, in: stages)
        }
    }
}
