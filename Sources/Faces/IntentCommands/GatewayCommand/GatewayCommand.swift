import ArgumentParser
import IntentEvents
import IntentGateway
import IntentOperations
import IntentRuntime
import Logging
import ServiceLifecycle

/// `intentd gateway`: HTTP for clients that do not speak Kafka.
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Serve clients over HTTP until SIGTERM or Ctrl-C: requests, answers, live events.",
        discussion: """
            Any number of gateways can run side by side, behind any load balancer. A client is the user of its token \
            (gateway.keys). Without keys the gateway serves only this machine, and everybody is one user. Put a TLS proxy \
            in front of it.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Listen address of the gateway. (default: gateway.listen, 127.0.0.1:8080)",
            valueName: "host:port"
        ),
        transform: ListenOption.address
    )
    var listen: BrokerAddress?

    @Option(
        help: ArgumentHelp("The user of everybody, if there are no keys. (default: me)", valueName: "user"),
        transform: IdentityArgument.read
    )
    var demoUser: String?

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let listening = self.listen.map { [(Setting.gatewayListen, "--listen", SettingValue.listen($0))] } ?? []
        let configuration = try self.common.load(brokers: self.brokers, more: listening, level: .info)
        // It carries nothing out, so it needs no secrets.
        let intents = try IntentSet.checked(configuration, needsSecrets: false)
        var settings = GatewaySettings(configuration)
        settings.webhook = try Webhook(configuration)
        if let demoUser { settings.developmentUser = .init(demoUser) }
        guard settings.address != nil else {
            throw OperationError(.usage, "gateway.listen is none: set an address with --listen HOST:PORT")
        }
        let access = try LogAccess.find(configuration)
        try await access.use { [settings] log in
            let assembly = try await Assembly.make(
                configuration,
                log: log,
                intents: intents,
                creatingTopics: false,
                workingStages: false
            )
            let monitoring = try await Monitoring.start(assembly)
            guard
                let service = try await GatewayService.start(
                    assembly,
                    settings,
                    isUsual: false,
                    monitor: monitoring?.monitor
                )
            else { return }
            service.register(assembly, monitoring)
            StandardOutput.write(
                "Gateway on \(service.link)\(service.note)\n"
                    + (monitoring.map { "Metrics and health on http://\($0.address)\n" } ?? "") + "Ctrl-C stops it.\n"
            )
            try await ServiceRun(
                services: assembly.watches(monitoring, logger: configuration.logger("intentd.gateway"))
                    + service.services,
                logger: configuration.logger("intentd.gateway")
            )
            .untilSignalled()
        }
    }
}

extension GatewayService {
    /// What is printed behind its address.
    var note: String {
        self.developmentUser.map { ", for the user \($0) on this machine only (gateway.keys is not set)" } ?? ""
    }
}
