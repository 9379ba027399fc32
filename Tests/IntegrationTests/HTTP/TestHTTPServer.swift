import IntentLab
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A service on the loopback interface that answers as the test says, and records its requests.
final class TestHTTPServer: Sendable {
    /// A request.
    struct Request: Sendable {
        var method: String
        var path: String
        var headers: [String: String]
        var body: String
    }

    /// An answer.
    struct Response: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""
        /// The body, if it is not text.
        var bytes: [UInt8]?
        /// Whether the body is sent in pieces, without stating its length.
        var isChunked = false
        /// Whether there is no answer at all.
        var isSilent = false
        /// The delay of the answer.
        var milliseconds = 0
        /// What the answer waits for.
        var gate: Gate?
    }

    private let channel: any Channel
    private let received: Received

    private final class Received: Sendable {
        let requests = Mutex<[Request]>([])
        let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])
        let connections = Atomic(0)
    }

    private init(channel: any Channel, received: Received) {
        self.channel = channel
        self.received = received
    }

    /// Runs the body with a server; the closure answers the request of that number, from 0.
    static func run(
        _ answer: @escaping @Sendable (Int, Request) -> Response,
        _ body: (TestHTTPServer) async throws -> Void
    ) async throws {
        let received = Received()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                received.connections.add(1, ordering: .relaxed)
                return channel.pipeline.configureHTTPServerPipeline()
                    .flatMap {
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Handler(received: received, answer: answer))
                        }
                    }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let server = TestHTTPServer(channel: channel, received: received)
        do {
            try await body(server)
            try await channel.close()
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// The address of a path on it.
    func url(_ path: String = "/intents") -> String {
        "http://127.0.0.1:\(self.channel.localAddress?.port ?? 0)\(path)"
    }

    /// The number of connections so far.
    var connections: Int { self.received.connections.load(ordering: .relaxed) }

    /// The requests so far.
    var requests: [Request] { self.received.requests.withLock { $0 } }

    /// Waits until it has received so many requests.
    func waitForRequests(_ count: Int = 1) async {
        while self.requests.count < count {
            await withCheckedContinuation { continuation in
                let isThere = self.received.requests.withLock { requests in
                    if requests.count < count { self.received.waiters.withLock { $0.append(continuation) } }
                    return requests.count >= count
                }
                if isThere { continuation.resume() }
            }
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let received: Received
        private let answer: @Sendable (Int, Request) -> Response
        private var head: HTTPRequestHead?
        private var body = ""

        init(received: Received, answer: @escaping @Sendable (Int, Request) -> Response) {
            self.received = received
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                self.body = ""
            case .body(let bytes): self.body += String(buffer: bytes)
            case .end: self.respond(context)
            }
        }

        private func respond(_ context: ChannelHandlerContext) {
            guard let head else { return }
            let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
            let request = Request(method: head.method.rawValue, path: head.uri, headers: headers, body: self.body)
            let (number, waiters) = self.received.requests.withLock { requests in
                requests.append(request)
                return (
                    requests.count - 1,
                    self.received.waiters.withLock { waiters in
                        defer { waiters = [] }
                        return waiters
                    }
                )
            }
            for waiter in waiters { waiter.resume() }
            let response = self.answer(number, request)
            guard !response.isSilent else { return }
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            if let gate = response.gate {
                let loop = context.eventLoop
                Task {
                    await gate.wait()
                    loop.execute { bound.value.0.send(response, bound.value.1) }
                }
                return
            }
            guard response.milliseconds > 0 else { return self.send(response, context) }
            context.eventLoop.scheduleTask(in: .milliseconds(Int64(response.milliseconds))) {
                bound.value.0.send(response, bound.value.1)
            }
        }

        private func send(_ response: Response, _ context: ChannelHandlerContext) {
            var fields = HTTPHeaders(response.headers.map { ($0.key, $0.value) })
            let body = response.bytes.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(string: response.body)
            if !response.isChunked { fields.replaceOrAdd(name: "Content-Length", value: "\(body.readableBytes)") }
            let status = HTTPResponseStatus(statusCode: response.status)
            context.write(
                self.wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: fields))),
                promise: nil
            )
            context.write(self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
