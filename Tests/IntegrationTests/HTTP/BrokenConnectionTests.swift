@testable import DeclaredIntents
import IntentKit
import IntentLab
import LibCurl
import Testing

@Suite("R35, R51: a broken connection causes no more posts than attempts", .timeLimit(.minutes(2)))
struct BrokenConnectionTests {
    /// What fits into a packet, and what does not.
    private static let sizes = [10, 600_000]

    private func post(_ size: Int, to server: BreakingHTTPServer) async throws -> HTTPReply {
        let body = Array("{\"note\":\"\(String(repeating: "n", count: size))\"}".utf8)
        let request = HTTPRequest(
            body,
            to: "http://127.0.0.1:\(server.port)/handle",
            timeout: .seconds(30),
            maximumBytes: 1_000
        )
        return try await HTTPSession.shared.reply(to: request)
    }

    /// An intent that a service on that port handles.
    private func registration(_ handler: String, _ port: Int, attempts: Int) throws -> IntentRegistration {
        let settings: JSONValue = ["url": .string("http://127.0.0.1:\(port)"), "attempts": .integer(Int64(attempts))]
        let file = DefinitionFile(["name": "Order", "handler": .object([handler: settings])])
        try #require(file.problems.isEmpty, "\(file.problems)")
        return try #require(file.definitions.first).makeRegistration()
    }

    /// Handles the intent until it succeeds or its error is permanent.
    private func handle(_ registration: IntentRegistration, _ size: Int) async -> (tries: Int, errors: [String]) {
        let intent = IntentSnapshot(name: "Order", parameters: ["note": .string(String(repeating: "n", count: size))])
        var errors: [String] = []
        for attempt in 1...10 {
            do {
                _ = try await registration.handle(intent, BareTurnHost.context(attempt: attempt))
                return (attempt, errors)
            } catch {
                errors.append("\(error)")
                if !(error is any TransientError) { return (attempt, errors) }
            }
        }
        return (10, errors)
    }

    /// Whether an error says how the connection ended, and nothing about a further try.
    private static func isOwn(_ error: String) -> Bool {
        let ends = [
            "The connection was closed before a response", "Empty reply from server", "Connection reset by peer",
            "Send failure", "Recv failure", "transfer closed with", "connection closed", "Broken pipe",
        ]
        return ends.contains { error.contains($0) } && !error.contains("connect to") && !error.contains("callback")
    }

    @Test(
        "A post is sent once, over new connections and over those that were kept open",
        arguments: BreakingHTTPServer.Break.allCases
    )
    func postsOnceOverBrokenConnections(kind: BreakingHTTPServer.Break) async throws {
        for size in Self.sizes {
            for answered in [0, 1, 3] {
                let server = try BreakingHTTPServer(kind, answered: answered)
                defer { server.stop() }
                for _ in 0..<answered { #expect(try await self.post(size, to: server).status == 200) }
                do {
                    // An answer whose status came is one, whatever follows it.
                    let reply = try await self.post(size, to: server)
                    #expect(kind == .inAnswerHead && reply.status == 200)
                } catch let error as HTTPExchangeError {
                    #expect(Self.isOwn(error.description), "\(kind), \(size), \(answered): \(error)")
                }
                #expect(server.count == answered + 1, "\(kind), \(size), \(answered)")
                #expect(server.connectionCount == 1, "\(kind), \(size), \(answered)")
            }
        }
    }

    @Test("The service is gone when the connection breaks: the error is that of the only attempt", arguments: [1, 3])
    func reportsFirstErrorWhenServiceIsGone(answered: Int) async throws {
        let server = try BreakingHTTPServer(.afterBody, answered: answered)
        for _ in 0..<answered { _ = try await self.post(10, to: server) }
        server.stop()
        let error = try await #require(throws: HTTPExchangeError.self) { _ = try await self.post(10, to: server) }
        #expect(Self.isOwn(error.description), "\(error)")
        #expect(server.count == answered + 1)
    }

    @Test(
        "An intent is posted at most as often as its definition allows",
        arguments: ["http", "service"],
        [1, 3]
    )
    func postsAtMostDefinedAttempts(handler: String, attempts: Int) async throws {
        for kind in BreakingHTTPServer.Break.allCases {
            for size in Self.sizes {
                for answered in [0, 1] {
                    let server = try BreakingHTTPServer(kind, answered: answered)
                    defer { server.stop() }
                    let registration = try self.registration(handler, server.port, attempts: attempts)
                    for _ in 0..<answered { _ = await self.handle(registration, size) }
                    let (tries, errors) = await self.handle(registration, size)
                    // What is answered with success, or taken for it, needs no further try.
                    #expect(server.count - answered == tries && tries <= attempts, "\(kind), \(size), \(answered)")
                    let last = errors.last ?? ""
                    #expect(
                        kind == .inAnswerHead || tries == attempts && last.hasPrefix("POST ") && Self.isOwn(last),
                        "\(kind), \(size), \(answered): \(errors)"
                    )
                }
            }
        }
    }

    @Test("A GET may be sent again, since it changes nothing")
    func repeatsGet() async throws {
        let server = try BreakingHTTPServer(.afterBody, answered: 1)
        defer { server.stop() }
        let request = HTTPRequest(
            nil,
            to: "http://127.0.0.1:\(server.port)/livez",
            timeout: .seconds(30),
            maximumBytes: 1_000
        )
        #expect(try await HTTPSession.shared.reply(to: request).status == 200)
        await #expect(throws: HTTPExchangeError.self) { _ = try await HTTPSession.shared.reply(to: request) }
        #expect(server.count == 3)
    }
}
