internal import CoreMetrics
internal import KafkaLog
internal import LocalHTTP
internal import Logging
package import ServiceLifecycle
internal import Telemetry

/// A process's monitor, with the server that exposes it.
package struct Monitoring: Sendable {
    package let monitor: Monitor
    /// The server's address, `HOST:PORT`.
    package let address: String
    /// The address unless another is configured; where its port is in use, a free one is taken.
    static let usualAddress = BrokerAddress(host: "127.0.0.1", port: 9464)
    /// Both, as services.
    package let services: [any Service]

    /// Listens at the configured address.
    ///
    /// - Returns: nil when the configuration says `none`.
    /// - Throws: ``OperationError`` (69) when the address is in use and not the usual one.
    package static func start(_ assembly: Assembly) async throws -> Monitoring? {
        let configuration = assembly.configuration
        guard var address = configuration.listenAddress(.monitoringListen) else { return nil }
        let logger = configuration.logger("intentd.monitoring")
        let kafka = assembly.log as? KafkaLog
        let monitor = Monitor(
            factory: HandlerSources.current.metrics,
            probe: Probe(
                log: kafka?.withOwnConnections(requestTimeout: Monitor.brokerTimeout) ?? assembly.log,
                isOwn: kafka != nil,
                deployment: assembly.deployment,
                ledger: assembly.ledger
            ),
            logger: logger
        )
        kafka?.measure(with: monitor.factory)
        monitor.factory.gauge(Metrics.catalog.buildInfo, [ProgramVersion.number, ProgramVersion.commit]).set(Int64(1))
        let hosts = HostNames(
            listeningOn: address.host,
            includesAddresses: !address.isLoopback,
            others: configuration.list(.monitoringHosts)
        )
        func listen() async throws -> HTTPServer {
            try await MonitoringServer.listen(
                host: address.host,
                port: address.port,
                hosts: hosts,
                pages: monitor.pages,
                logger: logger
            )
        }
        let server: HTTPServer
        do {
            server = try await listen()
        } catch {
            // Wherever it is set: the configuration file that comes with intentd names every setting at its default.
            guard address == Self.usualAddress else {
                throw OperationError(.unavailable, "monitoring.listen: cannot listen on \(address): \(error)")
            }
            // With several processes on one machine, the first has the usual port.
            address.port = 0
            server = try await listen()
        }
        logger.info("Serving metrics and health checks", metadata: [TelemetryKey.address: "\(server.address)"])
        return Monitoring(monitor: monitor, address: server.address, services: [monitor, server])
    }
}
