import ArgumentParser
import IntentOperations

/// `intentd status`: whether a deployment is healthy.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the health of a deployment: this machine's processes, and all consumer groups.",
        discussion: """
            Queries /readyz of every process of `up`, `work` and `gateway` on the data directory, and the brokers about \
            the members and the lag of each group. With addresses, queries only the processes there. The exit status is 0 if \
            everything is healthy, 1 if something is not, 69 if nothing answers.
            """
    )

    @Argument(
        help: "Monitoring addresses, HOST:PORT. (default: the processes on the data directory)",
        transform: ListenOption.address
    )
    var addresses: [BrokerAddress] = []

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let status =
            self.addresses.isEmpty
            ? await DeploymentStatus.ask(configuration) : await DeploymentStatus.ask(self.addresses)
        guard status.isAnswered else {
            let lines = status.parts.flatMap(\.lines).map { $0.trimmingPrefix("NOT OK: ") }
            throw OperationError(.unavailable, lines.joined(separator: "\n"))
        }
        let style = TextStyle.output
        StandardOutput.print(status.isHealthy ? style.good("ok") : style.bad("NOT OK"))
        for part in status.parts {
            if status.parts.count > 1 { StandardOutput.printWrapped("\(part.title):") }
            for line in part.lines {
                StandardOutput.printWrapped(line, line.hasPrefix("NOT OK") ? style.bad : style.good)
            }
        }
        guard status.isHealthy else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }
}
