import ArgumentParser
import IntentEvents
import IntentGateway
import IntentKit
import IntentOperations
import IntentRuntime
import Logging
import ServiceLifecycle

/// `intentd up`: everything in one process until Ctrl-C.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run everything in one process until Ctrl-C: broker, topics, all stages, recorder, gateway.",
        discussion: """
            Without --brokers, starts an embedded broker on the data directory; other commands with the same data \
            directory find it. With --brokers, runs only topics, stages and recorder.
            """
    )

    @OptionGroup var listening: ListenOption
    @OptionGroup var tracing: TracingOption
    @OptionGroup var console: ConsoleOption

    @Option(help: "Number of lanes per stage.")
    var instances = 1

    @Option(
        help: ArgumentHelp(
            "A user who gets sample contacts, messages, and accounts. Can be repeated.",
            valueName: "user"
        ),
        transform: IdentityArgument.read
    )
    var demoUser: [String] = []

    @Flag(help: "Honor the header ce_intentdscript, with which scenarios control the results of handlers.")
    var scripted = false

    @Flag(help: "Skip events that retention removed before they were read, and log them as errors.")
    var acceptLoss = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...1_000).contains(self.instances) else { throw ValidationError("--instances is 1 to 1000") }
    }

    func run() async throws {
        let configuration = try self.common
            .load(brokers: self.brokers, more: self.tracing.settings + self.console.settings, level: .info)
        let intents = try IntentSet.checked(configuration)
        let webhook = try Webhook(configuration)
        for warning in intents.warnings { configuration.logger("intentd.up").warning("\(warning)") }
        let access = try await LogAccess.start(configuration, listen: self.listening.listen)
        try await access.use { log in
            let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
            try await self.addDemoData(assembly)
            let name = try WorkerName.claim(in: configuration.data)
            let process = try await WorkingProcess.start(
                WorkerRole.allCases,
                with: assembly,
                on: access,
                name: name,
                lanes: self.instances,
                isScripted: self.scripted,
                acceptsLoss: self.acceptLoss,
                logger: configuration.logger("intentd.up")
            )
            var settings = GatewaySettings(configuration)
            settings.webhook = webhook
            if let user = self.demoUser.first {
                settings.developmentUser = UserID(user)
                settings.servesDemo = true
            }
            let gateway = try await GatewayService.start(
                assembly,
                settings,
                isUsual: settings.address == .usualGateway,
                monitor: process.monitoring?.monitor
            )
            let operations = Operations(
                configuration.usingGateway(at: gateway?.link),
                intents: intents,
                topics: (log, assembly.deployment),
                allowsWrites: self.console.allowWrites
            )
            let health = (process.monitoring?.monitor).map { HealthSource.own($0) }
            let console = try await ConsoleService.start(operations, health: health)
            StandardOutput.write(self.welcome(access, assembly, process.monitoring, console, gateway))
            let consoles: [any Service] = console.map { [$0] } ?? []
            try await process.untilSignalled(with: consoles + (gateway?.services ?? []))
        }
    }

    /// Each user's data is stored once, however often it is requested.
    private func addDemoData(_ assembly: Assembly) async throws {
        guard !self.demoUser.isEmpty else { return }
        guard assembly.intents.extensions.contains(where: { $0.addDemoData != nil }) else {
            let remedy = HandlerSources.current.samples.isEmpty ? "" : ": add --samples"
            throw OperationError(
                .usage,
                "--demo-user fills the stores of apps that have demo data, and none is served\(remedy)"
            )
        }
        guard let ledger = assembly.ledger else {
            throw OperationError(.usage, "--demo-user needs the handlers' store, but ledger is none (configuration)")
        }
        try await ledger.addDemoData(of: assembly.intents.extensions, for: Set(self.demoUser), run: "up")
    }

    private func welcome(
        _ access: LogAccess,
        _ assembly: Assembly,
        _ monitoring: Monitoring?,
        _ console: ConsoleService?,
        _ gateway: GatewayService?
    ) -> String {
        let data = assembly.configuration.data.path
        var options = self.common.config.map { " --config \($0)" } ?? ""
        if let prefix = self.common.prefix { options += " --prefix \(prefix)" }
        if data != "var" { options += " --data \(data)" }
        if access.host == nil { options += " --brokers \(access.brokers.joined(separator: ","))" }
        // Only `ask` has to know the intents.
        var intents = self.common.definitions.map { " --definitions \($0)" }.joined()
        if self.common.samples { intents += " --samples" }
        let what = access.host == nil ? "Kafka at" : "Embedded broker on"
        let names = assembly.intents.registry.intentNames
        let example = names.contains("BookRestaurantTable") ? "BookRestaurantTable" : names.first ?? "INTENT"
        return """
            \(what) \(access.brokers.joined(separator: ",")), topics \(assembly.deployment.prefix).* with \
            \(assembly.deployment.partitions) partitions, \(names.count == 1 ? "1 intent" : "\(names.count) intents").\(console.map { "\nConsole on \($0.link)" } ?? "")\(gateway.map { "\nGateway on \($0.link)\($0.note)" } ?? "")
            In another terminal:
              \(ProgramName.current) ask \(example)\(intents)\(options)     # starts a conversation
              \(ProgramName.current) tail\(options)     # follows the conversation
              \(ProgramName.current) produce events.ndjson\(options)     # sends events
              \(ProgramName.current) list\(options)     # shows what was recorded\(monitoring.map { "\n  curl http://\($0.address)/metrics     # for Prometheus; /readyz and /livez for probes" } ?? "")
            Ctrl-C stops it.

            """
    }
}
