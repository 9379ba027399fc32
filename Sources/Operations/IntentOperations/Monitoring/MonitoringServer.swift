internal import Connections
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Answers `GET /metrics`, `/livez` and `/readyz` over HTTP/1.1, for Prometheus and for supervisors that restart
/// processes.
///
/// Everything that a client controls is bounded: connections, the length of a head, the duration of a request. A body
/// is not read, and a connection is closed after its answer. At the limit a new connection replaces one whose client is
/// waited for (`OpenConnections`), so that a supervisor's probe is answered while other clients hold connections.
struct MonitoringServer: Service {
    /// A page's answer.
    struct Page: Sendable {
        /// 200, or 503 where something is wrong.
        var status = HTTPResponseStatus.ok
        /// The media type.
        var type = "text/plain; charset=utf-8"
        /// The content.
        var text: String
    }

    /// The limits on clients.
    struct Limits: Sendable {
        /// The largest number of connections at a time: a scraper and a probe need two.
        var connections = 64
        /// The longest that a request's head may take to arrive, from the beginning of its connection, in seconds.
        var headSeconds: Int64 = 5
        /// The longest that an answer may take, in seconds.
        var answerSeconds: Int64 = 10
    }

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    /// The address that it listens on, `HOST:PORT`.
    let address: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The address or host to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - hosts: The names that are answered; others get 421.
    ///   - pages: The pages, by path.
    ///   - limits: The limits on clients.
    ///   - logger: Where it is logged that connections were closed for others.
    /// - Returns: The server, which already answers.
    /// - Throws: An `IOError` of the operating system when the address is in use.
    static func listen(
        host: String,
        port: Int,
        hosts: HostNames,
        pages: [String: @Sendable () async -> Page],
        limits: Limits = Limits(),
        logger: Logger
    ) async throws -> MonitoringServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = OpenConnections(limit: limits.connections, logger: logger)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 1_024)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    guard let connection = connections.add(channel) else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                        try channel.pipeline.syncOperations.addHandler(
                            MonitoringHandler(connection, hosts: hosts, pages: pages, limits: limits)
                        )
                    }
                }
                .bind(host: host, port: port)
                .get()
            return MonitoringServer(group: group, channel: channel, host: host)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(group: MultiThreadedEventLoopGroup, channel: any Channel, host: String) {
        self.group = group
        self.channel = channel
        self.address = "\(host.contains(":") ? "[\(host)]" : host):\(channel.localAddress?.port ?? 0)"
    }

    /// Answers until the group shuts down.
    func run() async throws {
        try? await gracefulShutdown()
        await self.close()
    }

    /// Stops answering.
    func close() async {
        try? await self.channel.close()
        try? await self.group.shutdownGracefully()
    }
}

/// One connection with one request and one answer.
///
/// Only used on its channel's event loop.
private final class MonitoringHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: OpenConnection
    private let hosts: HostNames
    private let pages: [String: @Sendable () async -> MonitoringServer.Page]
    private let limits: MonitoringServer.Limits
    private var isAnswered = false
    private var deadline: Scheduled<Void>?

    init(
        _ connection: OpenConnection,
        hosts: HostNames,
        pages: [String: @Sendable () async -> MonitoringServer.Page],
        limits: MonitoringServer.Limits
    ) {
        self.connection = connection
        self.hosts = hosts
        self.pages = pages
        self.limits = limits
    }

    func channelActive(context: ChannelHandlerContext) {
        self.close(context.channel, after: self.limits.headSeconds)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = self.unwrapInboundIn(data), !self.isAnswered else { return }
        self.isAnswered = true
        self.connection.startAnswering()
        self.close(context.channel, after: self.limits.answerSeconds)
        // Browsers, which alone can be misled, always send a host; some load balancers' probes do not.
        guard head.headers["Host"].allSatisfy(self.hosts.contains) else {
            let text = "The host name is not accepted. Use the IP address, or add the name to monitoring.hosts.\n"
            return self.answer(
                MonitoringServer.Page(status: .misdirectedRequest, text: text),
                to: head,
                context.channel
            )
        }
        let path = String(head.uri.prefix { $0 != "?" })
        guard let page = self.pages[path] else {
            let known = self.pages.keys.sorted().joined(separator: ", ")
            let missing = MonitoringServer.Page(status: .notFound, text: "Page not found. Pages: \(known).\n")
            return self.answer(missing, to: head, context.channel)
        }
        guard head.method == .GET || head.method == .HEAD else {
            let refused = MonitoringServer.Page(status: .methodNotAllowed, text: "Only GET and HEAD are supported.\n")
            return self.answer(refused, to: head, context.channel)
        }
        Self.answer(with: page, to: head, on: context.channel, self.connection)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func close(_ channel: any Channel, after seconds: Int64) {
        self.deadline?.cancel()
        self.deadline = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
    }

    private static func answer(
        with page: @escaping @Sendable () async -> MonitoringServer.Page,
        to request: HTTPRequestHead,
        on channel: any Channel,
        _ connection: OpenConnection
    ) {
        Task { Self.answer(await page(), to: request, on: channel, connection) }
    }

    private func answer(_ page: MonitoringServer.Page, to request: HTTPRequestHead, _ channel: any Channel) {
        Self.answer(page, to: request, on: channel, self.connection)
    }

    private static func answer(
        _ page: MonitoringServer.Page,
        to request: HTTPRequestHead,
        on channel: any Channel,
        _ connection: OpenConnection
    ) {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: page.type)
        headers.add(name: "Content-Length", value: "\(page.text.utf8.count)")
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        headers.add(name: "Connection", value: "close")
        if page.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        let head = HTTPResponseHead(version: .http1_1, status: page.status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if request.method != .HEAD {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: page.text))), promise: nil)
        }
        connection.waitForClient(at: .now())
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}
