import ArgumentParser
import IntentOperations
import IntentRuntime
import Logging
import ServiceLifecycle

/// `intentd console`: pages in the browser.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Serve the console, until Ctrl-C.",
        discussion: """
            Reads the record database of the data directory, and the topics if a broker is configured. Joins no consumer \
            group and commits nothing. Values of sensitive parameters are masked. Beyond loopback a token is required, \
            which is printed with the address; put a TLS proxy in front of it.
            """
    )

    @OptionGroup var console: ConsoleOption

    @Option(
        help: ArgumentHelp(
            "Listen address of the console. (default: console.listen, 127.0.0.1:9465, or a free port)",
            valueName: "host:port"
        ),
        transform: ListenOption.address
    )
    var listen: BrokerAddress?

    @Option(
        help: ArgumentHelp(
            "Monitoring address of a process whose health to show. Can be repeated. (default: the processes on the data directory)",
            valueName: "host:port"
        ),
        transform: ListenOption.address
    )
    var watch: [BrokerAddress] = []

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers, more: self.console.settings)
        let (intents, notice) = try Self.intents(configuration)
        let access: LogAccess?
        do {
            access = try LogAccess.find(configuration)
        } catch {
            // Records can be shown without a broker.
            StandardError.write("\(error.message)\nOnly records are shown.\n")
            access = nil
        }
        guard let access else { return try await self.serve(configuration, intents, notice, nil) }
        try await access.useWaiting { log in
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
            try await self.serve(configuration, intents, notice, (log, deployment))
        }
    }

    /// The intents; nil when a definition cannot be read, with the message that every page then shows.
    private static func intents(_ configuration: Configuration) throws(OperationError) -> (IntentSet?, String?) {
        do throws(OperationError) {
            return (try IntentSet(configuration), nil)
        } catch {
            guard error.code == .configuration else { throw error }
            // What was recorded can be looked at all the same.
            let notice =
                "\(error.message)\nUntil this is fixed, all values are masked, and conversations and replays are disabled."
            StandardError.report(notice)
            return (nil, notice)
        }
    }

    private func serve(
        _ configuration: Configuration,
        _ intents: IntentSet?,
        _ notice: String?,
        _ topics: Operations.Topics?
    ) async throws {
        let operations = Operations(
            configuration,
            intents: intents,
            topics: topics,
            allowsWrites: self.console.allowWrites
        )
        guard let address = self.listen ?? configuration.listenAddress(.consoleListen) else {
            throw OperationError(.usage, "console.listen is none: set an address with --listen HOST:PORT")
        }
        let service = try await ConsoleService.start(
            operations,
            notice: notice,
            health: self.watch.isEmpty ? .registered(configuration.data) : .processes(self.watch),
            at: address,
            isUsual: self.listen == nil && address == .usualConsole
        )
        StandardOutput.write("Console on \(service.link)\nCtrl-C stops it.\n")
        try await ServiceRun(services: [service], logger: configuration.logger("intentd.console")).untilSignalled()
    }
}
