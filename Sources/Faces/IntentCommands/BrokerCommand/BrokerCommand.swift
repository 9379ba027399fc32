import ArgumentParser
import IntentOperations
import Logging
import ServiceLifecycle

/// `intentd broker`: the embedded broker alone.
struct BrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Run the embedded broker alone until Ctrl-C.",
        discussion: "A single node that speaks the Kafka protocol and keeps its log in <data>/broker.sqlite."
    )

    @Option(
        help: ArgumentHelp("Listen address; port 0 takes a free port.", valueName: "host:port"),
        transform: ListenOption.address
    )
    var listen = BrokerAddress(host: "127.0.0.1", port: 9092)

    @Option(
        help: ArgumentHelp("The host name advertised to clients. (default: the host of --listen)", valueName: "host")
    )
    var advertisedHost: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(level: .info)
        let host = try await BrokerHost.start(
            configuration.data,
            listen: self.listen,
            advertisedHost: self.advertisedHost,
            logger: configuration.logger("intentd.broker"),
            configure: configuration.apply(to:)
        )
        let announcement = WaitingService {
            StandardOutput.print("Embedded broker on \(host.address). Ctrl-C stops it.")
        }
        let run = ServiceRun(services: [announcement], logger: configuration.logger("intentd.services"))
        try await run.untilSignalled()
        await host.shutdown()
    }
}
