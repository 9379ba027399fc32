import IntentLab
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import LocalHTTP

@Suite("The HTTP server, through sockets", .timeLimit(.minutes(1)))
struct HTTPServerTests {
    private static func listen(
        _ limits: HTTPServer.Limits = .init(),
        headers: [(name: String, value: String)] = [],
        logger: Logger = LogLines().logger(),
        _ respond: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse = { request in
            HTTPServerResponse(
                text: "<p>\(request.path.joined(separator: "|")) \(request.query.query) \(request.form["a"] ?? "")</p>"
            )
        }
    ) async throws -> HTTPServer {
        try await .listen(
            host: "127.0.0.1",
            port: 0,
            limits: limits,
            headers: headers,
            logger: logger,
            respond: respond
        )
    }

    @Test("A request is parsed and answered, with the headers of every response")
    func parsesRequestAndSetsCommonHeaders() async throws {
        let headers = [(name: "Referrer-Policy", value: "same-origin"), (name: "X-Content-Type-Options", value: "own")]
        let server = try await Self.listen(headers: headers)
        let answer = try await RawClient.ask("GET /a%20b/c?x=%3C HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
        #expect(answer.contains("<p>a b|c ?x=%3C </p>"))
        for header in [
            "Referrer-Policy: same-origin", "X-Content-Type-Options: own", "Cache-Control: no-store",
            "Connection: close",
        ] { #expect(answer.contains(header + "\r\n")) }
        #expect(!answer.contains("nosniff"))
        let form = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1"
        #expect(try await RawClient.ask(form, of: server).contains(" 1</p>"))
        #expect(try await RawClient.ask("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", of: server).hasSuffix("\r\n\r\n"))
        await server.close()
    }

    @Test("Invalid requests are refused")
    func refusesInvalidRequests() async throws {
        var limits = HTTPServer.Limits()
        limits.headSeconds = 1
        limits.requestSeconds = 2
        let server = try await Self.listen(limits)
        func status(_ bytes: String) async throws -> Substring {
            try await RawClient.ask(bytes, of: server).prefix { $0 != "\r\n" }.dropFirst(9).prefix(3)
        }
        #expect(try await status("DELETE / HTTP/1.1\r\nHost: x\r\n\r\n") == "405")
        #expect(try await status("GET //%FF HTTP/1.1\r\nHost: x\r\n\r\n") == "400")
        #expect(try await status("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n") == "400")
        #expect(try await status("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n") == "400")
        #expect(try await status("\u{0}\u{1} nonsense\r\n\r\n") == "400")
        let long = String(repeating: "a", count: 10 << 10)
        #expect(try await status("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n") == "414")
        #expect(try await RawClient.ask("GET / HTTP/1.1\r\nHost:", of: server).isEmpty)
        #expect(try await RawClient.ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na", of: server).isEmpty)
        await server.close()
    }

    @Test("A refusal has the form that the server's owner gives it")
    func refusesInOwnForm() async throws {
        let server = try await HTTPServer.listen(
            host: "127.0.0.1",
            port: 0,
            logger: LogLines().logger(),
            refusal: { HTTPServerResponse(status: $0, type: "application/problem+json", text: "{\($1)}") },
            respond: { _ in HTTPServerResponse(text: "") }
        )
        let answer = try await RawClient.ask("DELETE / HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        #expect(answer.contains("Allow: GET, HEAD, POST\r\n"))
        #expect(answer.hasSuffix("{Allowed methods: GET, HEAD, POST.}"))
        let malformed = try await RawClient.ask("\u{0}\u{1} nonsense\r\n\r\n", of: server)
        #expect(malformed.hasSuffix("{The request is malformed.}"))
        await server.close()
    }

    @Test("The client gets the response to a refused request, however much of it was not read")
    func refusalReachesClientThatStillSends() async throws {
        var limits = HTTPServer.Limits()
        limits.requestSeconds = 50
        let server = try await Self.listen(limits)
        func answer(_ path: String, body size: Int) async throws -> Substring {
            let body = String(repeating: "a", count: size)
            let request = "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n\(body)"
            return try await RawClient.ask(request, of: server, sendsFirst: true).prefix { $0 != "\r\n" }
        }
        let long = "/" + String(repeating: "a", count: limits.target)
        #expect(try await answer("/", body: limits.body) == "HTTP/1.1 200 OK")
        // The larger one does not fit into the sockets' buffers.
        for size in [limits.body + 1, 16 << 20] {
            #expect(try await answer("/", body: size).hasPrefix("HTTP/1.1 413 "))
            #expect(try await answer(long, body: size).hasPrefix("HTTP/1.1 414 "))
        }
        await server.close()
    }

    @Test("Events are streamed in order, and their source learns that the reader has left")
    func streamsEventsUntilReaderLeaves() async throws {
        let hasGone = Gate()
        let server = try await Self.listen { _ in
            // As the console creates them: for one reader, so that they end with it.
            let (events, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
            let teller = Task {
                while !Task.isCancelled {
                    continuation.yield("event: page\ndata: one\n\n")
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            continuation.onTermination = { _ in
                teller.cancel()
                hasGone.open()
            }
            return HTTPServerResponse(type: "text/event-stream", parts: events)
        }
        let answer = try await RawClient.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n", of: server, until: "data: one")
        #expect(answer.contains("text/event-stream"))
        await hasGone.wait()
        await server.close()
    }

    @Test("A page's beginning is sent while its rest is being made, and the rest follows")
    func sendsBeginningOfPageEarly() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = try await Self.listen { _ in
            HTTPServerResponse(type: "text/plain", beginning: "<p>beginning</p>") {
                for await _ in gate { break }
                return "<p>rest</p>"
            }
        }
        let bytes = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        let first = try await RawClient.ask(bytes, of: server, until: "beginning")
        #expect(first.contains("text/plain") && !first.contains("rest"))
        open.finish()
        let whole = try await RawClient.ask(bytes, of: server)
        #expect(whole.contains("<p>beginning</p>") && whole.contains("<p>rest</p>"))
        await server.close()
    }

    @Test(
        "Connections without a complete request are closed for new clients, which is logged once",
        .enabled(if: HeldConnections.arePossible),
        arguments: HeldConnections.Manner.http
    )
    func idleConnectionsMakeRoomForNewClients(_ manner: HeldConnections.Manner) async throws {
        let lines = LogLines()
        let server = try await Self.listen(logger: lines.logger())
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let held = try HeldConnections(1_000, to: port, manner)
        #expect(try await RawClient.ask("GET /a HTTP/1.1\r\nHost: x\r\n\r\n", of: server).contains("<p>a"))
        _ = try await lines.next(.warning, "Connection limit reached")
        held.close()
        await server.close()
        #expect(lines.all.count { $0.message.hasPrefix("Connection limit reached") } == 1)
    }

    @Test(
        "While every connection waits for its response, another one is refused; it is accepted when others have closed"
    )
    func refusesConnectionsWhileAllAreBusy() async throws {
        var limits = HTTPServer.Limits()
        limits.connections = 1
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try await Self.listen(limits) { _ in
            arrive.yield()
            for await _ in gate { break }
            return HTTPServerResponse(text: "<p>done</p>")
        }
        let bytes = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        async let first = RawClient.ask(bytes, of: server)
        for await _ in arrivals { break }
        #expect(try await RawClient.ask(bytes, of: server).isEmpty)
        open.yield()
        let text = try await first
        #expect(text.contains("done"))
        open.finish()
        #expect(try await RawClient.ask(bytes, of: server).contains("done"))
        await server.close()
    }

    @Test("It closes although a client still follows events")
    func closesWhileEventsAreFollowed() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try await Self.listen { _ in
            arrive.yield()
            return HTTPServerResponse(type: "text/event-stream", parts: events)
        }
        async let answer = RawClient.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        for await _ in arrivals { break }
        await server.close()
        let text = try await answer
        #expect(!text.contains("data:"))
        continuation.finish()
    }

    @Test("All answers are cancelled when the server closes, whether or not their connections have closed")
    func cancelsAnswers() async throws {
        let (nothing, end) = AsyncStream.makeStream(of: Void.self)
        let answers = AnswersInProgress()
        // It ends when it is cancelled.
        #expect(answers.start { for await _ in nothing {} } != nil)
        await answers.close()
        #expect(answers.start {} == nil)
        end.finish()
    }

    @Test("The rest of a page is not made for a reader that has gone")
    func cancelsRest() async throws {
        let (nothing, end) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = Gate()
        func readBeginning() async throws {
            let response = HTTPServerResponse(type: "text/plain", beginning: "<p>beginning</p>") {
                for await _ in nothing {}
                isCancelled.open()
                return "<p>rest</p>"
            }
            guard case .parts(let parts) = response.body else {
                Issue.record("It is not sent in parts: \(response)")
                return
            }
            for await part in parts {
                #expect(part == "<p>beginning</p>")
                break
            }
        }
        try await readBeginning()
        await isCancelled.wait()
        end.finish()
    }

    // MARK: Several requests a connection

    private static func keeping(_ change: (inout HTTPServer.Limits) -> Void = { _ in }) -> HTTPServer.Limits {
        var limits = HTTPServer.Limits()
        limits.methods = HTTPServerRequest.Method.allCases
        limits.idleSeconds = 30
        limits.needsHost = true
        change(&limits)
        return limits
    }

    @Test("A connection serves requests one after the other, also those sent at once, until the client ends it")
    func keepsConnections() async throws {
        let server = try await Self.listen(Self.keeping())
        let requests = ["GET /1", "PUT /2", "DELETE /3", "PATCH /4", "OPTIONS /5"]
            .map { "\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
        let last = "GET /6 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answer = try await RawClient.ask(requests + last, of: server)
        let bodies = answer.split(separator: "<p>").dropFirst().map { $0.prefix { $0 != " " } }
        #expect(bodies == ["1", "2", "3", "4", "5", "6"])
        #expect(answer.ranges(of: "Connection: close").count == 1)
        await server.close()
    }

    @Test("An idle connection is closed after its time")
    func closesIdleConnections() async throws {
        let server = try await Self.listen(Self.keeping { $0.idleSeconds = 1 })
        let answer = try await RawClient.ask("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        #expect(answer.contains("<p>1") && !answer.contains("Connection: close"))
        await server.close()
    }

    @Test("Headers are found whatever their case; a body that is no form is passed on as it is")
    func passesHeadersAndBody() async throws {
        let server = try await Self.listen(Self.keeping()) { request in
            let type = request.headers["content-TYPE"] ?? ""
            return HTTPServerResponse(text: "<p>\(type) \(request.body.count) \(request.form.all.count)</p>")
        }
        let request = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        let answer = try await RawClient.ask(request + "Content-Length: 5\r\n\r\na=b&c", of: server)
        #expect(answer.contains("<p>application/json 5 0</p>"))
        await server.close()
    }

    @Test(
        "A request that proxies could read in another way is refused, and its connection closed",
        arguments: [
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 4\r\n\r\nabcd",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +4\r\n\r\nabcd",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nHost: y\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nAAAAAXX0\r\n\r\n",
        ]
    )
    func refusesAmbiguousRequests(request: String) async throws {
        let server = try await Self.listen(Self.keeping())
        let smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
        let answer = try await RawClient.ask(request + smuggled, of: server)
        #expect(answer.hasPrefix("HTTP/1.1 400 ") || answer.isEmpty, "\(answer)")
        #expect(!answer.contains("smuggled"))
        #expect(answer.split(separator: "HTTP/1.1 ").count <= 1, "there are two responses to one request: \(answer)")
        await server.close()
    }

    @Test("Too many and too large headers are 431")
    func refusesLargeHeaders() async throws {
        let server = try await Self.listen(
            Self.keeping {
                $0.headerCount = 8
                $0.headers = 1_024
            }
        )
        let many = (0..<8).map { "a\($0): b\r\n" }.joined()
        let large = "a: \(String(repeating: "b", count: 1_024))\r\n"
        for headers in [many, large] {
            let answer = try await RawClient.ask("GET / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n", of: server)
            #expect(answer.hasPrefix("HTTP/1.1 431 "))
        }
        await server.close()
    }

    @Test("A client that sends Expect: 100-continue gets 100 Continue before it sends its body")
    func continues() async throws {
        let server = try await Self.listen(Self.keeping())
        let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        let answer = try await RawClient.ask(head, of: server, until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n"))
        await server.close()
    }

    @Test("A stream of events is kept alive by comments")
    func streamsEventsWithHeartbeats() async throws {
        let server = try await Self.listen(Self.keeping { $0.heartbeatSeconds = 1 }) { _ in Self.events(seconds: 60) }
        let answer = try await RawClient.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n", of: server, until: ":\n\n")
        Self.expect(["text/event-stream", "data: one\n\n", ":\n\n"], in: answer)
        await server.close()
    }

    @Test("A stream of events ends in its time, and its connection is usable for the next request")
    func endsStreamsInTime() async throws {
        let server = try await Self.listen(Self.keeping()) { request in
            request.path == ["events"] ? Self.events(seconds: 1) : HTTPServerResponse(text: "<p>next</p>")
        }
        let next = "GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answer = try await RawClient.ask("GET /events HTTP/1.1\r\nHost: x\r\n\r\n" + next, of: server)
        Self.expect(["text/event-stream", "data: one\n\n", "0\r\n\r\n", "<p>next</p>"], in: answer)
        await server.close()
    }

    /// One event, and then nothing until the stream is ended.
    private static func events(seconds: Int64) -> HTTPServerResponse {
        var response = HTTPServerResponse { writer in
            try await writer.write("data: one\n\n")
            for await _ in AsyncStream<Void>.makeStream().stream {}
        }
        response.maximumSeconds = seconds
        return response
    }

    /// Expects these parts in this order.
    private static func expect(_ parts: [String], in answer: String) {
        var rest = Substring(answer)
        for part in parts {
            guard let range = rest.firstRange(of: part) else {
                Issue.record("\(part) is missing in \(rest)")
                return
            }
            rest = rest[range.upperBound...]
        }
    }

    @Test("A client that does not read its stream is cut off, and the stream's source learns it")
    func cutsSlowReadersOff() async throws {
        let hasFailed = Gate()
        let server = try await Self.listen(Self.keeping { $0.stallSeconds = 1 }) { _ in
            HTTPServerResponse { writer in
                defer { hasFailed.open() }
                let part = String(repeating: "a", count: 1 << 20)
                while true { try await writer.write(part) }
            }
        }
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.autoRead, value: false)
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        await hasFailed.wait()
        try? await channel.close()
        await server.close()
    }

    @Test(
        "While it drains, a request in progress is finished, an idle connection and a stream end, and none is accepted"
    )
    func drains() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try await Self.listen(Self.keeping { $0.drainSeconds = 20 }) { request in
            if request.path == ["slow"] {
                arrive.yield()
                for await _ in gate { break }
                return HTTPServerResponse(text: "<p>done</p>")
            }
            return HTTPServerResponse { writer in
                try await writer.write("data: one\n\n")
                arrive.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
            }
        }
        async let slow = RawClient.ask("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        async let stream = RawClient.ask("GET /events HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        var count = 0
        for await _ in arrivals {
            count += 1
            if count == 2 { break }
        }
        let draining = Task { await server.drain() }
        let events = try await stream
        #expect(events.hasSuffix("0\r\n\r\n"))
        await #expect(throws: (any Error).self) {
            try await RawClient.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n", of: server)
        }
        open.finish()
        let text = try await slow
        #expect(text.contains("<p>done</p>") && text.contains("Connection: close"))
        await draining.value
        await server.close()
    }
}
