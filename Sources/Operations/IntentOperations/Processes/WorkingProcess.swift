package import IntentEvents
internal import IntentRuntime
package import Logging
package import ServiceLifecycle

/// This process while it works on a deployment: its workers, and what watches them.
package struct WorkingProcess: Sendable {
    private let assembly: Assembly
    private let name: WorkerName
    private let departure: Departure?
    private let services: [any Service]
    /// Where metrics and health are served; nil when the configuration says `none`.
    package let monitoring: Monitoring?

    /// Makes everything that these roles need; nothing of it runs yet, except that metrics and health are served.
    ///
    /// - Parameters:
    ///   - roles: The roles.
    ///   - assembly: What they work with.
    ///   - access: The log.
    ///   - name: The worker's name.
    ///   - lanes: The number of lanes of each stage.
    ///   - isScripted: Whether `ce_intentdscript` is honoured.
    ///   - acceptsLoss: Whether to continue after events that retention removed before they were read.
    ///   - departure: How the workers leave, which SIGUSR1 changes; nil when they always come back.
    ///   - logger: Logs what an operator should know.
    /// - Returns: The process.
    /// - Throws: ``OperationError``.
    package static func start(
        _ roles: [WorkerRole],
        with assembly: Assembly,
        on access: LogAccess,
        name: WorkerName,
        lanes: Int,
        isScripted: Bool,
        acceptsLoss: Bool,
        departure: Departure? = nil,
        logger: Logger
    ) async throws -> WorkingProcess {
        let configuration = assembly.configuration
        let partitions = assembly.deployment.partitions
        if lanes > partitions {
            logger.warning(
                "Only \(partitions) of \(lanes) lanes of a stage can work: the topics have no more partitions"
            )
        }
        await AccessNotice.report(on: assembly.log, isEmbedded: access.isEmbedded, logger: logger)
        let monitoring = try await Monitoring.start(assembly)
        name.register(
            RunningProcess(
                worker: name.text,
                roles: roles,
                lanes: lanes,
                monitoring: monitoring.flatMap { BrokerAddress($0.address) },
                configuration: configuration
            )
        )
        let traces = Traces.start(configuration, worker: name.text, factory: monitoring?.monitor.factory)
        if let host = access.host { monitoring?.monitor.watch(host) }
        let services = try assembly.services(
            roles,
            name: name.text,
            lanes: lanes,
            isScripted: isScripted,
            acceptsLoss: acceptsLoss,
            departure: departure ?? Departure(),
            monitor: monitoring?.monitor,
            tracing: traces?.turns
        )
        return WorkingProcess(
            assembly: assembly,
            name: name,
            departure: departure,
            services: (traces?.services ?? []) + services + assembly.watches(monitoring, logger: logger),
            monitoring: monitoring
        )
    }

    /// Works until a signal comes.
    ///
    /// The traces end after the roles: what the stages trace at their end is sent, too.
    ///
    /// - Parameter pages: Further services.
    /// - Throws: What a service throws; the others finish first.
    package func untilSignalled(with pages: [any Service] = []) async throws {
        try await self.assembly.run(self.services + pages).untilSignalled(self.departure)
        withExtendedLifetime(self.name) {}
    }
}
