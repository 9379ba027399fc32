internal import Connections
internal import NIOCore
internal import NIOHTTP1

/// One connection: its requests, one after the other, and their answers.
///
/// Only used on its channel's event loop; answers are made in tasks, and handed over to it.
final class HTTPServerConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Tells a connection that the server drains: the answer in progress is its last one.
    struct Drain: Sendable {}

    /// What happens on the connection.
    private enum Phase {
        /// The head of the next request is awaited.
        case awaitingHead
        /// The rest of a request is awaited.
        case receiving(HTTPRequestHead, HTTPServerRequest.Method)
        /// An answer is being made or sent; nil for one that the server has made itself.
        case answering(AnswersInProgress.ID?, isStream: Bool)
        /// Nothing that still arrives is read.
        case ended
    }

    private let connection: OpenConnection
    private let limits: HTTPServer.Limits
    private let headers: [(name: String, value: String)]
    private let answers: AnswersInProgress
    private let refusal: HTTPServer.Refusal
    private let respond: @Sendable (HTTPServerRequest) async -> HTTPServerResponse
    private var phase = Phase.awaitingHead
    private var body: [UInt8] = []
    /// Whether the connection closes after this answer.
    private var isLast = true
    private var isDraining = false
    private var isFirst = true
    private var acceptedAt = NIODeadline.distantPast
    private var deadline: Scheduled<Void>?
    /// Closes the connection of a client that does not read what is sent.
    private var stall: Scheduled<Void>?
    private var unreadParts = 0
    private var lastWrite = NIODeadline.distantPast
    private var heartbeat: RepeatedTask?
    /// Ends a stream whose time is limited.
    private var streamEnd: Scheduled<Void>?

    init(
        _ connection: OpenConnection,
        limits: HTTPServer.Limits,
        headers: [(name: String, value: String)],
        answers: AnswersInProgress,
        refusal: @escaping HTTPServer.Refusal,
        respond: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
    ) {
        self.connection = connection
        self.limits = limits
        self.headers = headers
        self.answers = answers
        self.refusal = refusal
        self.respond = respond
    }

    func channelActive(context: ChannelHandlerContext) {
        self.acceptedAt = context.eventLoop.now
        self.close(context.channel, at: self.acceptedAt + .seconds(self.limits.headSeconds))
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deadline?.cancel()
        self.endTimers()
        if case .answering(let id?, _) = self.phase { self.answers.cancel(id) }
        self.phase = .ended
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.close(promise: nil) }
        switch self.phase {
        case .awaitingHead, .receiving: self.refuse(400, "The request is malformed.", on: context.channel)
        // The request was refused before its end: there is one response to it, which closes the connection.
        case .answering, .ended: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is Drain else { return context.fireUserInboundEventTriggered(event) }
        self.isDraining = true
        switch self.phase {
        case .awaitingHead: context.close(promise: nil)
        // The client continues its stream on another connection.
        case .answering(let id?, isStream: true): self.answers.cancel(id)
        case .receiving, .answering, .ended: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (self.phase, self.unwrapInboundIn(data)) {
        case (.awaitingHead, .head(let head)):
            // A client that sends one request after the other, and reads no response, would fill the memory.
            guard context.channel.isWritable else { return context.close(promise: nil) }
            self.begin(head, on: context.channel)
        case (.receiving, .body(let part)):
            guard self.body.count + part.readableBytes <= self.limits.body else {
                return self.refuse(413, "The request body is too large.", on: context.channel)
            }
            self.body += part.readableBytesView
        case (.receiving(let head, let method), .end): self.finish(head, method, on: context.channel)
        // The rest of a refused request.
        case (.awaitingHead, _), (.receiving, .head), (.answering, _), (.ended, _): break
        }
    }

    /// Cancels the timers of an answer.
    private func endTimers() {
        self.stall?.cancel()
        self.heartbeat?.cancel()
        self.streamEnd?.cancel()
        (self.stall, self.heartbeat, self.streamEnd) = (nil, nil, nil)
    }

    // MARK: Requests

    private func begin(_ head: HTTPRequestHead, on channel: any Channel) {
        let receivedAt = self.isFirst ? self.acceptedAt : channel.eventLoop.now
        self.isFirst = false
        // Later minor versions are read as 1.1; the parser accepts no other major one.
        let isAtLeast11 = head.version.major == 1 && head.version.minor >= 1
        self.isLast = self.limits.idleSeconds == nil || !head.isKeepAlive || !isAtLeast11
        self.close(channel, at: receivedAt + .seconds(self.limits.requestSeconds))
        let fields = HTTPServerHeaders(head.headers)
        guard head.uri.utf8.count <= self.limits.target else {
            return self.refuse(414, "The request target is too long.", on: channel)
        }
        guard fields.count <= self.limits.headerCount, fields.byteCount <= self.limits.headers else {
            return self.refuse(431, "The request headers are too large.", on: channel)
        }
        guard fields.all("Host").count <= 1, fields.frameBody(isAtLeast11: isAtLeast11) else {
            return self.refuse(400, "Duplicate header Host or Content-Length.", on: channel)
        }
        guard !self.limits.needsHost || !isAtLeast11 || fields["Host"] != nil else {
            return self.refuse(400, "The header Host is missing.", on: channel)
        }
        guard let method = HTTPServerRequest.Method(rawValue: head.method.rawValue),
            self.limits.methods.contains(method)
        else { return self.refuse(405, "Allowed methods: \(self.limits.allow).", on: channel) }
        guard (fields["Content-Length"].flatMap { Int($0) } ?? 0) <= self.limits.body else {
            return self.refuse(413, "The request body is too large.", on: channel)
        }
        self.phase = .receiving(head, method)
        if fields["Expect"]?.lowercased() == "100-continue", isAtLeast11 {
            channel.writeAndFlush(
                HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .continue)),
                promise: nil
            )
        }
    }

    private func finish(_ head: HTTPRequestHead, _ method: HTTPServerRequest.Method, on channel: any Channel) {
        let body = self.body
        self.body = []
        let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let isForm = HTTPServerRequest.isForm(head.headers.first(name: "Content-Type"))
        guard target[0].hasPrefix("/"), let path = HTTPServerRequest.path(target[0]),
            let form = isForm ? String(validating: body, as: UTF8.self) : ""
        else { return self.refuse(400, "The request is malformed.", isWhole: true, on: channel) }
        var request = HTTPServerRequest(
            method,
            path,
            query: Fields(parsing: target.count > 1 ? String(target[1]) : ""),
            form: Fields(parsing: form),
            headers: HTTPServerHeaders(head.headers),
            host: head.headers.first(name: "Host")
        )
        request.body = body
        request.origin = head.headers.first(name: "Origin")
        request.fetchSite = head.headers.first(name: "Sec-Fetch-Site")
        request.cookies = head.headers["Cookie"].first.map(HTTPServerRequest.cookies) ?? [:]
        request.remoteAddress = channel.remoteAddress?.ipAddress
        self.answer(request, self.respond, on: channel)
    }

    private func refuse(_ status: Int, _ detail: String, isWhole: Bool = false, on channel: any Channel) {
        var response = self.refusal(status, detail)
        if status == 405 { response.headers.append((name: "Allow", value: self.limits.allow)) }
        self.isLast = true
        self.body = []
        self.answer(HTTPServerRequest(), { [response] _ in response }, on: channel, lingers: !isWhole)
    }

    private func close(_ channel: any Channel, at deadline: NIODeadline) {
        self.deadline?.cancel()
        self.deadline = channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
    }

    // MARK: Answers

    /// Answers a request.
    ///
    /// With `lingers`, the client has not sent its whole request yet. Closing a socket with unread bytes resets the
    /// connection, and the client loses the answer. So only the sending side is closed, and what still arrives is
    /// discarded until the client closes or the request's time is up (RFC 9112, 9.6).
    private func answer(
        _ request: HTTPServerRequest,
        _ respond: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse,
        on channel: any Channel,
        lingers: Bool = false
    ) {
        self.connection.startAnswering()
        // A client that is refused has the rest of its request's time to read why.
        if !lingers { self.close(channel, at: channel.eventLoop.now + .seconds(self.limits.answerSeconds)) }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let isHead = request.method == .head
        let id = self.answers.start {
            let response = await respond(request)
            do {
                switch response.body {
                case .text:
                    try await channel.eventLoop
                        .flatSubmit {
                            bound.value.send(response, isHead: isHead, lingers: lingers, on: channel)
                        }
                        .get()
                case .parts, .events:
                    let writer = HTTPBodyWriter { text in
                        try await channel.eventLoop.flatSubmit { bound.value.send(text, on: channel) }.get()
                    }
                    try await channel.eventLoop.flatSubmit { bound.value.begin(response, on: channel) }.get()
                    if !isHead { await Self.sendParts(of: response, to: writer) }
                    try await channel.eventLoop.flatSubmit { bound.value.end(lingers: lingers, on: channel) }.get()
                }
            } catch {
                // A client that has disconnected reads nothing any more.
                channel.close(promise: nil)
            }
        }
        self.phase = .answering(id, isStream: false)
        if id == nil { channel.close(promise: nil) }
    }

    private static func sendParts(of response: HTTPServerResponse, to writer: HTTPBodyWriter) async {
        do {
            switch response.body {
            case .text: break
            case .parts(let parts): for await part in parts { try await writer.write(part) }
            case .events(let send): try await send(writer)
            }
        } catch {
            // The client has disconnected, or the server drains; what was sent is whole either way.
        }
    }

    /// Sends a complete answer.
    private func send(
        _ response: HTTPServerResponse,
        isHead: Bool,
        lingers: Bool,
        on channel: any Channel
    ) -> EventLoopFuture<Void> {
        channel.write(HTTPServerResponsePart.head(self.head(response)), promise: nil)
        if !isHead, let text = response.text, !text.isEmpty {
            let body = HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(string: text)))
            channel.write(body, promise: nil)
        }
        return self.end(lingers: lingers, on: channel)
    }

    /// Sends the head of an answer whose body follows in parts.
    private func begin(_ response: HTTPServerResponse, on channel: any Channel) -> EventLoopFuture<Void> {
        if case .answering(let id, _) = self.phase {
            self.phase = .answering(id, isStream: true)
            if self.isDraining, let id { self.answers.cancel(id) }
            if let id, let seconds = response.maximumSeconds {
                let answers = self.answers
                self.streamEnd = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { answers.cancel(id) }
            }
        }
        if case .events = response.body {
            let interval = TimeAmount.seconds(self.limits.heartbeatSeconds)
            let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
            self.heartbeat = channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                bound.value.beat(every: interval, on: channel)
            }
        }
        self.lastWrite = channel.eventLoop.now
        return channel.writeAndFlush(HTTPServerResponsePart.head(self.head(response)))
    }

    private func beat(every interval: TimeAmount, on channel: any Channel) {
        guard self.unreadParts == 0, channel.eventLoop.now - self.lastWrite >= interval else { return }
        self.send(":\n\n", on: channel).whenFailure { _ in channel.close(promise: nil) }
    }

    /// Sends a part of an answer; the future succeeds when the client's side has taken it.
    private func send(_ text: String, on channel: any Channel) -> EventLoopFuture<Void> {
        guard case .answering = self.phase else {
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        self.connection.waitForClient(at: .now())
        self.lastWrite = channel.eventLoop.now
        self.unreadParts += 1
        if self.unreadParts == 1, let seconds = self.limits.stallSeconds {
            self.stall = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
        }
        let part = HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(string: text)))
        let sent: EventLoopFuture<Void> = channel.writeAndFlush(part)
        sent.assumeIsolated()
            .whenComplete { _ in
                self.unreadParts -= 1
                guard self.unreadParts == 0 else { return }
                self.stall?.cancel()
                self.connection.startAnswering()
            }
        return sent
    }

    /// Ends an answer, and closes the connection unless another request may follow.
    private func end(lingers: Bool, on channel: any Channel) -> EventLoopFuture<Void> {
        self.endTimers()
        self.connection.waitForClient(at: .now())
        let closes = self.isLast || self.isDraining
        // Before the end is written: the next request may already have arrived, and is then read at once.
        self.phase = closes ? .ended : .awaitingHead
        if !closes, let idle = self.limits.idleSeconds {
            self.close(channel, at: channel.eventLoop.now + .seconds(idle))
        }
        let sent: EventLoopFuture<Void> = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        guard closes else { return sent }
        sent.whenComplete { _ in channel.close(mode: lingers ? .output : .all, promise: nil) }
        return sent
    }

    private func head(_ response: HTTPServerResponse) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        if !response.type.isEmpty { headers.add(name: "Content-Type", value: response.type) }
        if let text = response.text { headers.add(name: "Content-Length", value: "\(text.utf8.count)") }
        for (name, value) in response.headers {
            // Header values come from this program, but a line break would still end the header.
            headers.add(name: name, value: String(value.filter { !$0.isNewline }))
        }
        let always = [(name: "X-Content-Type-Options", value: "nosniff"), (name: "Cache-Control", value: "no-store")]
        for (name, value) in self.headers + always where !headers.contains(name: name) {
            headers.add(name: name, value: value)
        }
        if self.isLast || self.isDraining { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: response.status),
            headers: headers
        )
    }
}
