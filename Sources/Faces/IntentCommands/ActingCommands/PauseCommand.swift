import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

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
    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try self.pause.check(configuration)
        try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                let desk = OperatorDesk(deployment, log: log, by: self.operator.value)
                try await desk.pause(self.pause.target, in: self.pause.stages)
            }
        PausesCommand.report("paused", self.pause, self.output)
    }
}
