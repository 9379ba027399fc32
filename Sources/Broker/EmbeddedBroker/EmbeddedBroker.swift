import Connections
package import Logging
import NIOCore
import Telemetry

/// A single-node broker that speaks the Kafka protocol over TCP and keeps its log in one SQLite file.
///
/// It is meant for one machine: tests, development and small installations, with the same client code as on Kafka.
/// There is no authentication and no encryption; it listens on the loopback interface by default. A client
/// that reaches it can read, write and delete everything. A client cannot end the broker, or make it use more memory
/// than configured.
package final class EmbeddedBroker: Sendable {
    /// The port that it listens on.
    package let port: Int
    private let listener: any Channel
    let connections: OpenConnections
    let activity: BrokerActivity
    private let jobs: JobQueue
    private let ending: Ending

    private init(_ started: BrokerThread.Started, _ thread: BrokerThread, ending: Ending) {
        self.port = started.port
        self.listener = started.listener
        self.connections = thread.connections
        self.activity = thread.activity
        self.jobs = thread.jobs
        self.ending = ending
    }

    /// Opens the file, recovers its content and listens.
    ///
    /// - Throws: ``BrokerError`` when the address is in use, the directory cannot be written or another broker uses the
    ///   file.
    package static func start(_ configuration: Configuration, logger: Logger) async throws
        -> EmbeddedBroker
    {
        let thread = BrokerThread(
            configuration: configuration,
            jobs: JobQueue(),
            connections: OpenConnections(limit: configuration.maxConnections, logger: logger),
            activity: BrokerActivity(),
            logger: logger
        )
        let ending = Ending()
        let started = try await thread.start(ending: ending)
        logger.info(
            "Embedded broker is listening",
            metadata: [TelemetryKey.port: "\(started.port)", TelemetryKey.path: "\(configuration.path)"]
        )
        return EmbeddedBroker(started, thread, ending: ending)
    }

    /// Stops listening and closes the connections and the file; all that was acknowledged is in the file.
    package func shutdown() async {
        try? await self.listener.close()
        await self.connections.close()
        self.jobs.add([.stop])
        await self.ending.wait()
    }
}
