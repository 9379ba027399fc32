import ArgumentParser
import IntentEvents
import IntentGateway
import IntentOperations
import IntentRuntime
import Logging
import ServiceLifecycle

/// `intentd mcp`: MCP on standard input and output, for an agent on this machine.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve MCP on standard input and output, for an agent on this machine.",
        discussion: """
            Each intent is a tool. The agent acts for one user, and cannot confirm what only the user may confirm: that \
            needs a gateway. The log is on standard error.
            """
    )

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    /// How many requests are answered at a time.
    private static let maximumRequests = 64

    @Option(
        help: ArgumentHelp("The user for whom the agent acts.", valueName: "user"),
        transform: IdentityArgument.read
    )
    var user = "me"

    @Option(help: ArgumentHelp("The user's language, such as de-DE.", valueName: "tag"))
    var locale = "en-US"

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers, level: .warning)
        // It carries nothing out, so it needs no secrets.
        let intents = try IntentSet.checked(configuration, needsSecrets: false)
        let settings = GatewaySettings(configuration)
        let logger = configuration.logger("intentd.mcp")
        let page = settings.publicURL ?? "http://\(settings.address ?? .usualGateway)"
        try await LogAccess.find(configuration)
            .use { log in
                let assembly = try await Assembly.make(
                    configuration,
                    log: log,
                    intents: intents,
                    creatingTopics: false,
                    workingStages: false
                )
                let desk = try GatewayDesk(assembly, publicURL: page, logger: logger)
                let mcp = MCPLines(
                    desk: desk.desk,
                    registry: desk.registry,
                    user: UserID(self.user),
                    locale: self.locale,
                    publicURL: page
                ) { StandardOutput.write($0) }
                try await ServiceRun(services: [desk.view], logger: logger).during { await Self.serve(mcp, desk.view) }
                await desk.close()
            }
    }

    /// Answers until the client closes its output.
    private static func serve(_ mcp: MCPLines, _ view: InteractionView) async {
        let lines = TerminalLines()
        // The client has started this process a moment ago: what it sends first waits until the topics are read.
        await view.untilReady()
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            while let line = await lines.next() {
                if count >= Self.maximumRequests { await group.next() } else { count += 1 }
                group.addTask { await mcp.receive(line) }
            }
            group.cancelAll()
        }
    }
}
