import ArgumentParser
import IntentOperations

/// `intentd status`: whether processes are ready.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the health of this machine's processes.",
        discussion: """
            Asks /readyz where `up` and `work` tell it (monitoring.listen), and shows what each lane, the broker and the \
            store are at. The exit status is 0 if all is well, 1 if something is not, 69 if nobody answers.
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
                throw OperationError(.usage, "monitoring.listen is none: name the addresses to ask, HOST:PORT")
            }
            addresses = [own.local]
        }
        var isWell = true
        for address in addresses {
            let health: ProcessHealth
            do {
                health = try await .ask(address, patience: .seconds(10))
            } catch {
                throw OperationError(.unavailable, "\(address) does not say how it is: \(error)")
            }
            if addresses.count > 1 { StandardOutput.print("\(address):") }
            for line in health.lines {
                let style = TextStyle.output
                StandardOutput.tell(
                    String(decoding: line, as: UTF8.self),
                    line.starts(with: Array("ok".utf8)) ? style.good : style.bad
                )
            }
            isWell = isWell && health.isWell
        }
        guard isWell else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }
}
