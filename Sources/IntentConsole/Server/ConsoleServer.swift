internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Serves a console over HTTP/1.1 until the group shuts down.
///
/// Whatever a client controls is bounded: connections, the length of head and body, the time until a request is whole,
/// the time that an answer may take to be read, and how many follow events. One connection, one request.
package struct ConsoleServer: Sendable {
    /// What a client may take.
    package struct Limits: Sendable {
        /// The most connections at a time.
        package var connections = 128
        /// The longest body of a request, in bytes.
        package var body = 256 << 10
        /// The longest path with its query, in bytes.
        package var target = 8 << 10
        /// How long a request may take until it is whole, in seconds.
        package var requestSeconds: Int64 = 10
        /// How long an answer may take, in seconds; events are cut then, and followed anew.
        package var answerSeconds: Int64 = 600

        /// The limits of a console.
        package init() {}
    }

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let connections: OpenConnections

    /// The address that it listens on, `HOST:PORT`.
    package let address: String

    /// Listens.
    ///
    /// - Parameters:
    ///   - host: The address or host to listen on.
    ///   - port: The port; 0 for any that is free.
    ///   - limits: What a client may take.
    ///   - respond: Answers.
    /// - Returns: The server, which answers already.
    /// - Throws: An `IOError` of the operating system, when the address is taken.
    package static func listen(
        host: String,
        port: Int,
        limits: Limits = Limits(),
        respond: @escaping @Sendable (ConsoleRequest) async -> ConsoleResponse
    ) async throws -> ConsoleServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = OpenConnections(limit: limits.connections)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    guard connections.enter(channel) else { return channel.close() }
                    channel.closeFuture.whenComplete { _ in connections.leave(channel) }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                        try channel.pipeline.syncOperations.addHandler(
                            ConsoleConnection(limits: limits, connections: connections, respond: respond)
                        )
                    }
                }
                .bind(host: host, port: port)
                .get()
            return ConsoleServer(group: group, channel: channel, connections: connections, host: host)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        group: MultiThreadedEventLoopGroup,
        channel: any Channel,
        connections: OpenConnections,
        host: String
    ) {
        self.group = group
        self.connections = connections
        self.channel = channel
        self.address = "\(host.contains(":") ? "[\(host)]" : host):\(channel.localAddress?.port ?? 0)"
    }

    /// Answers until the group shuts down.
    package func run() async {
        try? await gracefulShutdown()
        await self.close()
    }

    /// Answers no more; who still follows events is cut off.
    package func close() async {
        try? await self.channel.close()
        await self.connections.close()
        try? await self.group.shutdownGracefully()
    }
}
