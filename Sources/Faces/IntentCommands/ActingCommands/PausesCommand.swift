import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd pauses`: what is paused now.
struct PausesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pauses",
        abstract: "List what is paused, since when, by whom and why."
    )

    @OptionGroup var output: JSONOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let pauses = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    let by = OperatorAct.Operator(OperatorName.ofSystem, via: "terminal")
                    return try await OperatorDesk(deployment, log: log, by: by).pauses()
                }
        }
        if self.output.json {
            for (stage, pause) in pauses {
                StandardOutput.print(
                    .members([
                        "by": .string(pause.by), "reason": pause.reason.map(JSONValue.string),
                        "since": .string(pause.since.description), "stage": .string(stage.rawValue),
                        "target": .string(pause.target.description),
                    ])
                )
            }
            return
        }
        guard !pauses.isEmpty else {
            StandardError.report("nothing is paused")
            return
        }
        var table = Table("TARGET", "STAGE", "SINCE", "BY", "REASON")
        for (stage, pause) in pauses {
            let since = String(pause.since.description.prefix(19))
            table.add(pause.target.description, stage.rawValue, since, pause.by, pause.reason ?? "-")
        }
        table.show()
    }
}
