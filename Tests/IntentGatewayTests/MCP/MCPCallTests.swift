import IntentEvents
import IntentKit
import IntentLab
import Synchronization
import Testing

@testable import IntentGateway

@Suite("R86: calls over two replicas", .timeLimit(.minutes(2)))
struct MCPCallTests {
    /// What a handler does until it may end.
    private final class Stove: Sendable {
        private let isOff = Mutex(false)
        private let calls = Mutex(0)

        var isHot: Bool { !self.isOff.withLock(\.self) }
        var count: Int { self.calls.withLock(\.self) }

        func begin() { self.calls.withLock { $0 += 1 } }

        func turnOff() { self.isOff.withLock { $0 = true } }
    }

    private struct CookIntent: Intent {}

    /// Reports all the time, until it may end: only the reports of a turn that is parked reach the user.
    private struct CookHandler: IntentHandler {
        let stove: Stove

        var handling: Handling<CookIntent> {
            Handle { _, context in
                self.stove.begin()
                while self.stove.isHot {
                    try Task.checkCancellation()
                    context.report(0.25, "The onions first.")
                    await Task.yield()
                }
                return IntentResponse(code: .success)
            }
        }
    }

    /// Wants the user to sign in.
    private struct AccountHandler: IntentHandler {
        var handling: Handling<CookIntent> {
            Confirm { _, context in
                context.user.isAuthenticated ? IntentResponse(code: .ready) : .authenticationRequired()
            }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static func exchange(
        _ client: MCPClient,
        _ replicas: Replicas,
        isAuthenticated: Bool = true,
        _ send: @escaping @Sendable (MCPServer.Outgoing) async -> Void = { _ in }
    ) -> MCPServer.Exchange {
        MCPServer.Exchange(
            caller: Caller(userID: "ada", isAgent: true, isAuthenticated: isAuthenticated),
            client: client,
            session: client.revision.hasSessions ? "session" : nil,
            locale: "en",
            confirming: ConfirmingRule(registry: replicas.registry, publicURL: "https://intents.example"),
            tracing: [:],
            send: send
        )
    }

    private static func call(_ arguments: JSONObject = [:], tool: String = "CookIntent") -> JSONRPCRequest {
        JSONRPCRequest(
            id: .text("c1"),
            method: "tools/call",
            params: [
                "name": .string(tool), "arguments": .object(arguments), "_meta": ["progressToken": "p"],
            ]
        )
    }

    @Test("A handler's report is progress, and a broken stream continues at the other replica")
    func continuesWithProgress() async throws {
        let stove = Stove()
        defer { stove.turnOff() }
        let registration = IntentRegistration(confirmation: .never, usesLedger: false) { CookHandler(stove: stove) }
        try await Replicas.run(2, registration: registration) { replicas in
            let servers = replicas.desks.map { MCPServer(desk: $0, registry: replicas.registry) }
            let client = MCPClient(revision: .v20251125)
            let (sent, continuation) = AsyncStream.makeStream(of: MCPServer.Outgoing.self)
            let exchange = Self.exchange(client, replicas) { continuation.yield($0) }
            let call = Task { try await servers[0].respond(to: Self.call(), exchange) }
            var position: MCPStreamPosition?
            for await case .message(let message, let place) in sent {
                #expect(message["method"] == "notifications/progress")
                #expect(
                    message["params"]
                        == ["progressToken": "p", "progress": 0.25, "total": 1, "message": "The onions first."]
                )
                position = place
                break
            }
            // The client has lost the connection, and continues after the event that it has seen.
            call.cancel()
            _ = await call.result
            let text = try #require(position).text
            let place = try #require(MCPStreamPosition(text))
            stove.turnOff()
            let result = try await servers[1].resume(place, Self.exchange(client, replicas))
            #expect(result["structuredContent"]?["code"] == "success")
            #expect(stove.count == 1)
        }
    }

    @Test("A sign-in is the user's: a page, or a result with its address, and no agent reports it")
    func leavesSignInToUser() async throws {
        let registration = IntentRegistration(confirmation: .never, usesLedger: false) { AccountHandler() }
        try await Replicas.run(registration: registration) { replicas in
            var waits = MCPServer.Waits()
            waits.page = 1
            let server = MCPServer(desk: replicas.desk, registry: replicas.registry, waits: waits)
            let showing = MCPClient(revision: .v20260728, hasForms: true, hasPages: true)
            let asked = try await server.respond(
                to: Self.call(),
                Self.exchange(showing, replicas, isAuthenticated: false)
            )
            #expect(asked["resultType"] == "input_required")
            let request = try #require(asked["inputRequests"]?.object?.first?.value)
            let id = try #require(asked["requestState"]?.string)
            #expect(request["params"]?["mode"] == "url")
            #expect(request["params"]?["url"] == .string("https://intents.example/confirm/\(id)"))
            let forms = Self.exchange(
                MCPClient(revision: .v20260728, hasForms: true),
                replicas,
                isAuthenticated: false
            )
            let said = try await server.respond(to: Self.call(["interaction": .string(id)], tool: "answer"), forms)
            #expect(said["structuredContent"]?["prompt"]?["kind"] == "authenticationRequired")
            #expect(said["structuredContent"]?["confirm"] == .string("https://intents.example/confirm/\(id)"))
            let agent = Caller(userID: "ada", isAgent: true)
            for (type, data) in [
                (EventType.userAuthenticated, JSONObject()), (.deviceUnlocked, ["device": ["id": "phone"]]),
            ] {
                let error = await #expect(throws: GatewayError.self) {
                    try await replicas.desk.send(type, data, to: nil, by: agent)
                }
                #expect(error?.code == .userMustConfirm)
            }
            try await replicas.desk.send(.userAuthenticated, [:], to: nil, by: Caller(userID: "ada"))
            try await eventually { () async throws -> Bool in
                let end = try await server.respond(to: Self.call(["interaction": .string(id)], tool: "answer"), forms)
                return end["structuredContent"]?["code"] == "success"
            }
        }
    }
}
