internal import Connections
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// A server for HTTP/1.1: console, metrics, health, and the gateway.
///
/// Everything that a client controls is bounded: the number of connections, the length of head and body, the time to
/// receive a request, and the time to send an answer. A connection serves one request, or several where ``Limits`` say
/// so. At the limit a new connection replaces one whose client is waited for (`OpenConnections`).
package struct HTTPServer: Service {
    /// The limits on clients.
    package struct Limits: Sendable {
        /// The methods that are answered; others get 405.
        package var methods: [HTTPServerRequest.Method] = [.get, .head, .post]
        /// The largest number of connections at a time.
        package var connections = 128
        /// The longest body of a request, in bytes.
        package var body = 256 << 10
        /// The longest path with its query, in bytes.
        package var target = 8 << 10
        /// The largest number of headers.
        package var headerCount = 1_000
        /// The most bytes of all names and values of headers.
        package var headers = 80 << 10
        /// Whether a request of HTTP/1.1 without the header `Host` is refused.
        package var needsHost = false
        /// The longest that a request's head may take to arrive, from the beginning of its connection, in seconds.
        package var headSeconds: Int64 = 5
        /// The longest that a request may take to arrive, from the beginning of its connection, in seconds.
        package var requestSeconds: Int64 = 10
        /// The longest that an answer may take, in seconds; an event stream is then cut, and the browser reconnects.
        package var answerSeconds: Int64 = 600
        /// How long a connection stays open for its next request, in seconds; nil closes it after its first one.
        package var idleSeconds: Int64?
        /// The longest that a client may take to read a part of a stream, in seconds; nil for the answer's own time.
        package var stallSeconds: Int64?
        /// The time without an event after which a comment is sent on a stream of events, in seconds.
        package var heartbeatSeconds: Int64 = 15
        /// How long answers may take to finish when the group shuts down, in seconds; 0 cancels them at once.
        package var drainSeconds: Int64 = 0

        package init() {}

        /// The value of the header `Allow`.
        var allow: String { self.methods.map(\.rawValue).joined(separator: ", ") }
    }

    /// Makes the response to a request that the server itself refuses.
    package typealias Refusal = @Sendable (_ status: Int, _ detail: String) -> HTTPServerResponse

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let connections: OpenConnections
    private let answers: AnswersInProgress
    private let drainSeconds: Int64

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
    ///   - refusal: Makes the response to a request that the server refuses itself, of a status and a sentence.
    ///   - respond: Answers a request.
    /// - Returns: The server, which already answers.
    /// - Throws: An `IOError` of the operating system when the address is in use.
    package static func listen(
        host: String,
        port: Int,
        limits: Limits = Limits(),
        headers: [(name: String, value: String)] = [],
        logger: Logger,
        refusal: @escaping Refusal = { HTTPServerResponse(status: $0, text: $1 + "\n") },
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
                        // NIO's own handler of errors would send a second response to a request that was refused early.
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
                        try channel.pipeline.syncOperations.addHandler(
                            HTTPServerConnection(
                                connection,
                                limits: limits,
                                headers: headers,
                                answers: answers,
                                refusal: refusal,
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
                drainSeconds: limits.drainSeconds,
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
        drainSeconds: Int64,
        host: String
    ) {
        self.group = group
        self.connections = connections
        self.answers = answers
        self.drainSeconds = drainSeconds
        self.channel = channel
        self.address = "\(host.contains(":") ? "[\(host)]" : host):\(channel.localAddress?.port ?? 0)"
    }

    /// Answers until the group shuts down.
    package func run() async throws {
        try? await gracefulShutdown()
        await self.drain()
        await self.close()
    }

    /// How many connections are open.
    package var connectionCount: Int { self.connections.count }

    /// Accepts no more connections, and lets the requests in progress finish for a while; streams end at once.
    func drain() async {
        guard self.drainSeconds > 0 else { return }
        try? await self.channel.close()
        self.connections.tell(HTTPServerConnection.Drain())
        let end = ContinuousClock.now + .seconds(self.drainSeconds)
        // Cancelled when there is no time any more.
        while self.connections.count > 0, .now < end, (try? await Task.sleep(for: .milliseconds(20))) != nil {}
    }

    /// Stops answering; clients that still follow events are disconnected.
    package func close() async {
        try? await self.channel.close()
        await self.connections.close()
        await self.answers.close()
        try? await self.group.shutdownGracefully()
    }
}
