import ArgumentParser
import IntentOperations

/// `intentd status`: whether processes are ready.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the health of this machine's processes.",
        discussion: """
            Queries /readyz of `up` and `work` (monitoring.listen), and shows the state of each lane, the broker and the \
            store. The exit status is 0 if everything is healthy, 1 if something is not, 69 if no process answers.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "Monitoring addresses, HOST:PORT. (default: monitoring.listen)", transform: ListenOption.address)
    var addresses: [BrokerAddress] = []

    func run() async throws {
        let configuration = try self.common.load()
        var addresses = self.addresses
        if addresses.isEmpty {
            guard let own = configuration.listenAddress(.monitoringListen) else {
                throw OperationError(.usage, "monitoring.listen is none: pass the addresses to query, HOST:PORT")
            }
            addresses = [own.local]
        }
        var isHealthy = true
        for address in addresses {
            let health: ProcessHealth
            do {
                health = try await .ask(address, timeout: .seconds(10))
            } catch {
                throw OperationError(.unavailable, "\(address) did not answer the health check: \(error)")
            }
            if addresses.count > 1 { StandardOutput.print("\(address):") }
            for line in health.lines {
                let style = TextStyle.output
                StandardOutput.printWrapped(
                    String(decoding: line, as: UTF8.self),
                    line.starts(with: Array("ok".utf8)) ? style.good : style.bad
                )
            }
            isHealthy = isHealthy && health.isHealthy
        }
        guard isHealthy else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }
}
