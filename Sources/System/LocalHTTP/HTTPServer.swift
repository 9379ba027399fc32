internal import Connections
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// A server for HTTP/1.1 of this process's own pages: console, metrics, health.
///
/// Everything that a client controls is bounded: the number of connections, the length of head and body, the time to
/// receive a request, and the time to send an answer. Each connection serves one request. At the limit a new connection
/// replaces one whose client is waited for (`OpenConnections`).
package struct HTTPServer: Service {
    /// The limits on clients.
    package struct Limits: Sendable {
        /// The methods that are answered; others get 405.
        package var methods = HTTPServerRequest.Method.allCases
        /// The largest number of connections at a time.
        package var connections = 128
        /// The longest body of a request, in bytes.
        package var body = 256 << 10
        /// The longest path with its query, in bytes.
        package var target = 8 << 10
        /// The longest that a request's head may take to arrive, from the beginning of its connection, in seconds.
        package var headSeconds: Int64 = 5
        /// The longest that a request may take to arrive, from the beginning of its connection, in seconds.
        package var requestSeconds: Int64 = 10
        /// The longest that an answer may take, in seconds; an event stream is then cut, and the browser reconnects.
        package var answerSeconds: Int64 = 600

        package init() {}
    }

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let connections: OpenConnections
    private let answers: AnswersInProgress

    /// The address that it listens on, `HOST:PORT`.
    package let address: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The address or host to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - limits: The limits on clients.
    ///   - headers: Headers of every response that has none of that name.
    ///   - logger: Where it is logged that connections were closed for others.
    ///   - respond: Answers a request.
    /// - Returns: The server, which already answers.
    /// - Throws: An `IOError` of the operating system when the address is in use.
    package static func listen(
        host: String,
        port: Int,
        limits: Limits = Limits(),
        headers: [(name: String, value: String)] = [],
        logger: Logger,
        respond: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
    ) async throws -> HTTPServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = OpenConnections(limit: limits.connections, logger: logger)
        let answers = AnswersInProgress()
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 1_024)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    guard let connection = connections.add(channel) else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                        try channel.pipeline.syncOperations.addHandler(
                            HTTPServerConnection(
                                connection,
                                limits: limits,
                                headers: headers,
                                answers: answers,
                                respond: respond
                            )
                        )
                    }
                }
                .bind(host: host, port: port)
                .get()
            return HTTPServer(
                group: group,
                channel: channel,
                connections: connections,
                answers: answers,
                host: host
            )
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        group: MultiThreadedEventLoopGroup,
        channel: any Channel,
        connections: OpenConnections,
        answers: AnswersInProgress,
        host: String
    ) {
        self.group = group
        self.connections = connections
        self.answers = answers
        self.channel = channel
        self.address = "\(host.contains(":") ? "[\(host)]" : host):\(channel.localAddress?.port ?? 0)"
    }

    /// Answers until the group shuts down.
    package func run() async throws {
        try? await gracefulShutdown()
        await self.close()
    }

    /// Stops answering; clients that still follow events are disconnected.
    package func close() async {
        try? await self.channel.close()
        await self.connections.close()
        await self.answers.close()
        try? await self.group.shutdownGracefully()
    }
}
