import ArgumentParser
import IntentAudit
import IntentRuntime

/// `intentd audit anchor`: prints the heads of all chains, to be kept elsewhere.
struct AuditAnchorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anchor",
        abstract: "Print the heads of all chains, to be kept where nobody who can write to the topics can write.",
        discussion:
            "A line of JSON. `intentd audit verify --anchor FILE` proves later that nothing before it was changed."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let anchor = try await LogAccess.find(configuration)
            .use { log in
                let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
                return try await Anchor.read(deployment, from: log, at: SystemRuntimeClock().now)
            }
        StandardOutput.print(anchor.json)
    }
}
