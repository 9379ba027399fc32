package import Logging
import NIOCore
import NIOPosix

/// A single-node broker that speaks the Kafka protocol over TCP and keeps its log in one SQLite file.
///
/// It is meant for one machine: tests, development and small installations, with the same client code as on Kafka.
/// There is no authentication and no encryption; it listens on the loopback interface unless told otherwise. Whoever reaches
/// it can read, write and delete everything; what it cannot do is end the broker, or have it take more memory than is set.
package final class EmbeddedBroker: Sendable {
    /// The port it listens on.
    package let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let connections: ConnectionRegistry
    private let jobs: JobQueue
    private let finished: EventLoopFuture<Void>

    private init(
        port: Int,
        group: MultiThreadedEventLoopGroup,
        listener: any Channel,
        connections: ConnectionRegistry,
        jobs: JobQueue,
        finished: EventLoopFuture<Void>
    ) {
        self.port = port
        self.group = group
        self.listener = listener
        self.connections = connections
        self.jobs = jobs
        self.finished = finished
    }

    /// Opens the file, recovers what is in it and listens.
    ///
    /// - Throws: ``BrokerError`` when the address is taken, the directory cannot be written or another broker has the
    ///   file.
    package static func start(_ configuration: Configuration, logger: Logger) async throws -> EmbeddedBroker {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let jobs = JobQueue()
            let connections = ConnectionRegistry(limit: configuration.maxConnections)
            let responses = ResponseBudget(limit: configuration.maxResponseBytes)
            let listener = try await self.bind(configuration, group, connections, jobs, logger)
            let port = listener.localAddress?.port ?? configuration.port
            let started = group.next().makePromise(of: Void.self)
            let finished = group.next().makePromise(of: Void.self)
            BrokerThread(
                configuration: configuration,
                address: .init(host: configuration.advertisedHost ?? configuration.host, port: Int32(port)),
                jobs: jobs,
                connections: connections,
                eventLoop: group.next(),
                responses: responses,
                logger: logger
            )
            .start(started: started, finished: finished)
            do {
                try await started.futureResult.get()
            } catch {
                try? await listener.close()
                throw error
            }
            logger.info(
                "Embedded broker listens",
                metadata: ["broker.port": "\(port)", "broker.path": "\(configuration.path)"]
            )
            return EmbeddedBroker(
                port: port,
                group: group,
                listener: listener,
                connections: connections,
                jobs: jobs,
                finished: finished.futureResult
            )
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private static func bind(
        _ configuration: Configuration,
        _ group: MultiThreadedEventLoopGroup,
        _ connections: ConnectionRegistry,
        _ jobs: JobQueue,
        _ logger: Logger
    ) async throws -> any Channel {
        let frames = ByteBudget(total: max(configuration.maxRequestBytes, configuration.maxFrameBytes))
        do {
            return try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 256)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(
                    ChannelOptions.recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(
                        minimum: 4_096,
                        initial: FrameReader.ownBytes,
                        maximum: FrameReader.ownBytes
                    )
                )
                .childChannelOption(
                    ChannelOptions.writeBufferWaterMark,
                    value: .init(low: 256 << 10, high: 1 << 20)
                )
                .childChannelInitializer { channel in
                    guard let id = connections.add(channel) else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture {
                        let reader = FrameReader(
                            limit: configuration.maxFrameBytes,
                            timeout: .milliseconds(configuration.maxFrameTime.milliseconds),
                            shared: frames
                        )
                        try channel.pipeline.syncOperations.addHandlers([
                            reader,
                            ConnectionHandler(
                                id: id,
                                requestLimit: configuration.maxRequestsPerConnection,
                                idleTimeout: .milliseconds(configuration.maxConnectionIdle.milliseconds),
                                jobs: jobs,
                                connections: connections,
                                logger: logger
                            ),
                        ])
                    }
                }
                .bind(host: configuration.host, port: configuration.port).get()
        } catch {
            throw BrokerError(
                code: .bind,
                message: "cannot listen on \(configuration.host):\(configuration.port): \(error)"
            )
        }
    }

    /// Stops listening, closes the connections and the file; whatever was acknowledged is in it.
    package func shutdown() async {
        try? await self.listener.close()
        for channel in self.connections.all { try? await channel.close() }
        self.jobs.add([.stop])
        try? await self.finished.get()
        try? await self.group.shutdownGracefully()
    }
}
