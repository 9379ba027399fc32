import Connections
import Logging
import NIOCore
import NIOPosix

extension ServerBootstrap {
    /// Listens for clients, all of whose connections run on the loop.
    static func broker(
        _ configuration: EmbeddedBroker.Configuration,
        on eventLoop: any EventLoop,
        jobs: JobQueue,
        connections: OpenConnections,
        activity: BrokerActivity,
        logger: Logger
    ) -> EventLoopFuture<any Channel> {
        let frames = ByteBudget(total: max(configuration.maxRequestBytes, configuration.maxFrameBytes))
        return ServerBootstrap(group: eventLoop)
            .serverChannelOption(ChannelOptions.backlog, value: 1_024)
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
                guard let connection = connections.add(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    let reader = FrameReader(
                        limit: configuration.maxFrameBytes,
                        timeout: .milliseconds(configuration.maxFrameTime.milliseconds),
                        shared: frames
                    )
                    try channel.pipeline.syncOperations.addHandlers([
                        reader,
                        ConnectionHandler(
                            connection,
                            requestLimit: configuration.maxRequestsPerConnection,
                            idleTimeout: .milliseconds(configuration.maxConnectionIdle.milliseconds),
                            jobs: jobs,
                            activity: activity,
                            logger: logger
                        ),
                    ])
                }
            }
            .bind(host: configuration.host, port: configuration.port)
    }
}
