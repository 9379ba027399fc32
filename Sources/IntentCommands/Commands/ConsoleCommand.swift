import ArgumentParser
import IntentConsole
import IntentRuntime
import Logging
import ServiceLifecycle

/// `intentd console`: pages in the browser.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Serve pages that show what goes on, until Ctrl-C.",
        discussion: """
            Reads the record database of the data directory, and the topics where a broker is known: joins no group and \
            commits nothing. Values of sensitive parameters are masked. Elsewhere than on loopback a token is needed, \
            which is printed with the address; put a proxy with TLS before it.
            """
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    @Option(
        help: ArgumentHelp(
            "Where pages are served. (default: console.listen, 127.0.0.1:9465 or a free port)",
            valueName: "host:port"
        ),
        transform: ListenOption.address
    )
    var listen: BrokerAddress?

    @Option(
        help: ArgumentHelp(
            "Processes whose health is shown, by where they tell it. Can be repeated.",
            valueName: "host:port"
        ),
        transform: ListenOption.address
    )
    var watch: [BrokerAddress] = []

    @Flag(help: "Allow conversations, and dead letters to be sent again, from the browser.")
    var allowWrites = false

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let intents = try IntentSet(configuration)
        let access: LogAccess?
        do {
            access = try LogAccess.find(configuration)
        } catch {
            // Records can be shown without a broker.
            StandardError.write("\(error.message)\nOnly records are shown.\n")
            access = nil
        }
        guard let access else { return try await self.serve(configuration, intents, nil, nil) }
        try await access.use { log in
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
            try await self.serve(configuration, intents, log, deployment)
        }
    }

    private func serve(
        _ configuration: Configuration,
        _ intents: IntentSet,
        _ log: (any EventLog)?,
        _ deployment: Deployment?
    ) async throws {
        var source = ConsoleSource.make(
            configuration,
            intents: intents,
            log: log,
            deployment: deployment,
            allowsWrites: self.allowWrites
        )
        if !self.watch.isEmpty { source.health = { [watch] in await ConsoleHealth.lines(of: watch) } }
        let service: ConsoleService
        if let listen {
            service = try await .start(source, at: listen, isUsual: false)
        } else if let configured = try await ConsoleService.start(source, configuration) {
            service = configured
        } else {
            throw CommandFailure(.usage, "console.listen is none: say where with --listen HOST:PORT")
        }
        StandardOutput.write("Console on \(service.link)\nCtrl-C stops it.\n")
        try await ServiceRun(services: [service], logger: configuration.logger("intentd.console")).untilSignalled()
    }
}
