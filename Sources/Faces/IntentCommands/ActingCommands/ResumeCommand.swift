import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd resume`: ends a pause (R82d).
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End the pause of an intent or an app: its interactions continue at once."
    )

    @OptionGroup var pause: PauseOptions
    @OptionGroup var `operator`: OperatorOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    let desk = OperatorDesk(deployment, log: log, by: self.operator.value)
                    try await desk.resume(self.pause.target, in: self.pause.stages)
                }
        }
        PausesCommand.report("resumed", self.pause, self.output)
    }
}
