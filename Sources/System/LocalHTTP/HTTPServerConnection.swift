internal import Connections
internal import NIOCore
internal import NIOHTTP1

/// One connection with one request and one answer.
///
/// Only used on its channel's event loop.
final class HTTPServerConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: OpenConnection
    private let limits: HTTPServer.Limits
    private let headers: [(name: String, value: String)]
    private let answers: AnswersInProgress
    private let respond: @Sendable (HTTPServerRequest) async -> HTTPServerResponse
    private var request: (head: HTTPRequestHead, method: HTTPServerRequest.Method)?
    private var body: [UInt8] = []
    private var hasEnded = false
    private var isAnswered = false
    private var acceptedAt = NIODeadline.distantPast
    private var deadline: Scheduled<Void>?

    init(
        _ connection: OpenConnection,
        limits: HTTPServer.Limits,
        headers: [(name: String, value: String)],
        answers: AnswersInProgress,
        respond: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
    ) {
        self.connection = connection
        self.limits = limits
        self.headers = headers
        self.answers = answers
        self.respond = respond
    }

    func channelActive(context: ChannelHandlerContext) {
        self.acceptedAt = context.eventLoop.now
        self.close(context.channel, at: self.acceptedAt + .seconds(self.limits.headSeconds))
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deadline?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !self.isAnswered else { return }
        switch self.unwrapInboundIn(data) {
        case .head(let head): self.begin(head, on: context.channel)
        case .body(let part):
            guard self.body.count + part.readableBytes <= self.limits.body else {
                return self.refuse(413, "The request body is too large.", on: context.channel)
            }
            self.body += part.readableBytesView
        case .end:
            self.hasEnded = true
            self.finish(on: context.channel)
        }
    }

    private func begin(_ head: HTTPRequestHead, on channel: any Channel) {
        guard head.uri.utf8.count <= self.limits.target else {
            return self.refuse(414, "The request target is too long.", on: channel)
        }
        guard head.headers["Host"].count <= 1, head.headers["Content-Length"].count <= 1 else {
            return self.refuse(400, "Duplicate header Host or Content-Length.", on: channel)
        }
        guard let method = HTTPServerRequest.Method(rawValue: head.method.rawValue),
            self.limits.methods.contains(method)
        else { return self.refuse(.methodNotAllowed(self.limits.methods), on: channel) }
        self.request = (head, method)
        self.close(channel, at: self.acceptedAt + .seconds(self.limits.requestSeconds))
    }

    private func finish(on channel: any Channel) {
        guard let (head, method) = self.request else { return }
        let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target[0].hasPrefix("/"), let path = HTTPServerRequest.path(target[0]),
            let form = String(validating: self.body, as: UTF8.self)
        else { return self.refuse(400, "The request is malformed.", on: channel) }
        var request = HTTPServerRequest(
            method,
            path,
            query: Fields(parsing: target.count > 1 ? String(target[1]) : ""),
            form: Fields(parsing: form),
            host: head.headers.first(name: "Host")
        )
        request.origin = head.headers.first(name: "Origin")
        request.fetchSite = head.headers.first(name: "Sec-Fetch-Site")
        request.cookies = head.headers["Cookie"].first.map(HTTPServerRequest.cookies) ?? [:]
        self.answer(request, self.respond, on: channel)
    }

    private func refuse(_ status: Int, _ words: String, on channel: any Channel) {
        self.refuse(HTTPServerResponse(status: status, text: words + "\n"), on: channel)
    }

    private func refuse(_ response: HTTPServerResponse, on channel: any Channel) {
        self.answer(HTTPServerRequest(), { _ in response }, on: channel, lingers: !self.hasEnded)
    }

    private func close(_ channel: any Channel, at deadline: NIODeadline) {
        self.deadline?.cancel()
        self.deadline = channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
    }

    private func answer(
        _ request: HTTPServerRequest,
        _ respond: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse,
        on channel: any Channel,
        lingers: Bool = false
    ) {
        self.isAnswered = true
        self.connection.startAnswering()
        // A client that is refused has the rest of its request's time to read why.
        if !lingers { self.close(channel, at: channel.eventLoop.now + .seconds(self.limits.answerSeconds)) }
        let (connection, common) = (self.connection, self.headers)
        self.answers.answer(on: channel) {
            await Self.send(
                await respond(request),
                common,
                isHead: request.method == .head,
                on: channel,
                connection,
                lingers: lingers
            )
        }
    }

    /// Sends an answer and closes; each part is written after the previous one has been sent, so a slow reader blocks
    /// no other.
    ///
    /// With `lingers`, the client has not sent its whole request yet. Closing a socket with unread bytes resets the
    /// connection, and the client loses the answer. So only the sending side is closed, and what still arrives is
    /// discarded until the client closes or the request's time is up (RFC 9112, 9.6).
    private static func send(
        _ response: HTTPServerResponse,
        _ common: [(name: String, value: String)],
        isHead: Bool,
        on channel: any Channel,
        _ connection: OpenConnection,
        lingers: Bool
    ) async {
        let head = HTTPServerResponsePart.head(Self.head(response, common))
        do {
            switch response.body {
            case .text(let text):
                channel.write(head, promise: nil)
                if !isHead {
                    channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
                }
            case .parts(let parts):
                try await channel.writeAndFlush(head).get()
                if !isHead {
                    for await part in parts {
                        let body = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: part)))
                        connection.waitForClient(at: .now())
                        try await channel.writeAndFlush(body).get()
                        connection.startAnswering()
                    }
                }
            }
            connection.waitForClient(at: .now())
            try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
        } catch {
            // A client that has disconnected reads nothing any more.
        }
        channel.close(mode: lingers ? .output : .all, promise: nil)
    }

    private static func head(
        _ response: HTTPServerResponse,
        _ common: [(name: String, value: String)]
    ) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: response.type)
        if let text = response.text { headers.add(name: "Content-Length", value: "\(text.utf8.count)") }
        for (name, value) in response.headers {
            // Header values come from this program, but a line break would still end the header.
            headers.add(name: name, value: String(value.filter { !$0.isNewline }))
        }
        let always = [(name: "X-Content-Type-Options", value: "nosniff"), (name: "Cache-Control", value: "no-store")]
        for (name, value) in common + always where !headers.contains(name: name) {
            headers.add(name: name, value: value)
        }
        headers.add(name: "Connection", value: "close")
        return HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: response.status),
            headers: headers
        )
    }
}
