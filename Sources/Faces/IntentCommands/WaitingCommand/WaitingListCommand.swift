import ArgumentParser
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd waiting list`: the interactions that wait for an operator.
struct WaitingListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List interactions that wait for an operator, the oldest first."
    )

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let masking = self.masking.masking(configuration)
        let waiting = try await WorkProgress.during {
            try await LogAccess.find(configuration)
                .use { log in
                    let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                    return try await WaitingBox(deployment, log: log).interactions()
                }
        }
        if self.output.json {
            for one in waiting { StandardOutput.print(one.json(masking)) }
            return
        }
        guard !waiting.isEmpty else {
            StandardError.report("no interaction waits for an operator")
            return
        }
        var table = Table("INTERACTION", "USER", "INTENT", "FIRST TRIED AT", ">ATTEMPTS", "UNTIL", "PARAMETERS")
        for one in waiting {
            let json = one.json(masking)
            func cell(_ name: String) -> String { json[name]?.string ?? "-" }
            table.add(
                cell("interaction"),
                cell("user"),
                cell("intent"),
                String(cell("firstTriedAt").prefix(19)),
                "\(one.wait.attempts)",
                String(cell("until").prefix(19)),
                String((json["parameters"]?.description ?? "").prefix(100))
            )
        }
        table.show()
    }
}
