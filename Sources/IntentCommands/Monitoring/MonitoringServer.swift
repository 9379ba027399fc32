import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Answers `GET /metrics`, `/livez` and `/readyz` over HTTP/1.1, for Prometheus and for supervisors that restart
/// processes.
///
/// Everything that a client controls is bounded: connections, the length of a head, the duration of a request. A body
/// is not read, and a connection is closed after its answer.
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

    /// The largest number of connections at a time: a scraper and a probe need two.
    static let maximumConnections = 64
    /// The longest duration of a connection.
    static let patience = TimeAmount.seconds(10)

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    /// The address that it listens on, `HOST:PORT`.
    let address: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The address or host to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - pages: The pages, by path.
    ///   - patience: The longest duration of a connection.
    /// - Returns: The server, which already answers.
    /// - Throws: An `IOError` of the operating system when the address is in use.
    static func listen(
        host: String,
        port: Int,
        pages: [String: @Sendable () async -> Page],
        patience: TimeAmount = Self.patience
    ) async throws -> MonitoringServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = ConnectionCount(limit: Self.maximumConnections)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.closeFuture.whenComplete { _ in connections.leave() }
                    guard connections.enter() else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                        try channel.pipeline.syncOperations.addHandler(
                            MonitoringHandler(pages: pages, patience: patience)
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

    private let pages: [String: @Sendable () async -> MonitoringServer.Page]
    private let patience: TimeAmount
    private var isAnswered = false
    private var deadline: Scheduled<Void>?

    init(pages: [String: @Sendable () async -> MonitoringServer.Page], patience: TimeAmount) {
        self.pages = pages
        self.patience = patience
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        self.deadline = context.eventLoop.scheduleTask(in: self.patience) {
            channel.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = self.unwrapInboundIn(data), !self.isAnswered else { return }
        self.isAnswered = true
        let path = String(head.uri.prefix { $0 != "?" })
        guard let page = self.pages[path] else {
            let known = self.pages.keys.sorted().joined(separator: ", ")
            let missing = MonitoringServer.Page(status: .notFound, text: "There is no such page. There are \(known).\n")
            return Self.answer(missing, to: head, on: context.channel)
        }
        guard head.method == .GET || head.method == .HEAD else {
            let refused = MonitoringServer.Page(status: .methodNotAllowed, text: "GET and HEAD alone are answered.\n")
            return Self.answer(refused, to: head, on: context.channel)
        }
        Self.tell(page, to: head, on: context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private static func tell(
        _ page: @escaping @Sendable () async -> MonitoringServer.Page,
        to request: HTTPRequestHead,
        on channel: any Channel
    ) {
        Task { Self.answer(await page(), to: request, on: channel) }
    }

    private static func answer(_ page: MonitoringServer.Page, to request: HTTPRequestHead, on channel: any Channel) {
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
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}
