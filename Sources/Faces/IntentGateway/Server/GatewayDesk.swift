internal import IntentEvents
package import IntentKit
package import IntentOperations
internal import IntentRuntime
package import Logging

/// A desk with the view that it answers from, and the writer of what callers send.
package struct GatewayDesk: Sendable {
    package let desk: InteractionDesk
    /// The view; it has to run.
    package let view: InteractionView
    package let confirming: ConfirmingRule
    package let registry: IntentRegistry
    /// The gateway's name in a consumer group.
    package var member: String { self.file.member }
    private let writer: RequestWriter
    /// The view's file, which belongs to this process.
    private let file: GatewayFile

    /// Opens a desk.
    ///
    /// - Parameters:
    ///   - assembly: The deployment and its intents.
    ///   - publicURL: The address of the page at which users answer for themselves.
    ///   - logger: Receives what the view has to say.
    /// - Throws: ``OperationError`` where the data directory cannot be used.
    package init(_ assembly: Assembly, publicURL: String, logger: Logger) throws {
        self.file = try GatewayFile.claim(in: assembly.configuration.data)
        var reading = InteractionView.Configuration(path: self.file.path)
        reading.dedupeWindow = assembly.configuration.duration(.requestsDedupeWindow)
        self.view = InteractionView(
            log: assembly.log,
            deployment: assembly.deployment,
            configuration: reading,
            logger: logger
        )
        self.registry = assembly.intents.registry
        let confirming = ConfirmingRule(registry: self.registry, publicURL: publicURL)
        self.confirming = confirming
        var asking = InteractionDesk.Configuration()
        asking.checkAnswer = { data, interaction, caller throws(GatewayError) in
            try confirming.check(.promptAnswered, data, to: interaction.id, intent: interaction.intent, by: caller)
        }
        self.writer = RequestWriter(assembly.log)
        self.desk = InteractionDesk(
            view: self.view,
            writer: self.writer,
            registry: self.registry,
            configuration: asking
        )
    }

    /// Registers this process, whose metrics and health are served at an address, as a gateway (R81b).
    func register(monitoring: BrokerAddress?, _ configuration: IntentOperations.Configuration) {
        self.file.register(
            RunningProcess(
                worker: self.file.name,
                roles: [],
                lanes: 0,
                monitoring: monitoring,
                configuration: configuration
            )
        )
    }

    /// Closes the writer; nothing is sent any more.
    package func close() async {
        await self.writer.close()
        withExtendedLifetime(self.file) {}
    }
}
