import CoreMetrics
import Logging
import ServiceLifecycle
import Telemetry

/// A process's monitor, and the server that tells what it sees.
struct Monitoring: Sendable {
    /// What it sees.
    let monitor: Monitor
    /// Where it is told, `HOST:PORT`.
    let address: String
    /// Where it is told unless somebody says otherwise; where that is taken, a free port is.
    static let usualAddress = "127.0.0.1:9464"
    /// Both, as services.
    let services: [any Service]

    /// Listens where the configuration says.
    ///
    /// - Returns: nil where it says `none`.
    /// - Throws: ``CommandFailure`` when the address is none (78), or is taken and not the usual one (69).
    static func start(_ assembly: Assembly) async throws -> Monitoring? {
        let configuration = assembly.configuration
        let text = configuration.text(.monitoringListen) ?? "none"
        guard text != "none" else { return nil }
        let origin = configuration.entry(.monitoringListen)?.origin ?? .byDefault
        guard var address = BrokerAddress(text) else {
            throw CommandFailure(
                .configuration,
                "\(origin): monitoring.listen must be HOST:PORT, such as 127.0.0.1:9464, or none; it is \(text)"
            )
        }
        let logger = configuration.logger("intentd.monitoring")
        let monitor = Monitor(
            factory: HandlerSources.current.metrics,
            probe: Probe(log: assembly.log, deployment: assembly.deployment, ledger: assembly.ledger),
            logger: logger
        )
        monitor.factory
            .makeMeter(
                label: MonitorMetric.information.rawValue,
                dimensions: [(TelemetryKey.version, RootCommand.version), (TelemetryKey.commit, ProgramVersion.commit)]
            )
            .set(Int64(1))
        let server: MonitoringServer
        do {
            server = try await .listen(host: address.host, port: address.port, pages: monitor.pages)
        } catch {
            // Wherever it stands: the configuration file that comes with intentd names every setting at its default.
            guard text == Self.usualAddress else {
                throw CommandFailure(.unavailable, "monitoring.listen: \(address) cannot be listened on: \(error)")
            }
            // Several processes on one machine: the first has the usual port.
            address.port = 0
            server = try await .listen(host: address.host, port: address.port, pages: monitor.pages)
        }
        logger.info("Metrics and health are told.", metadata: [TelemetryKey.address: "\(server.address)"])
        return Monitoring(monitor: monitor, address: server.address, services: [monitor, server])
    }
}
