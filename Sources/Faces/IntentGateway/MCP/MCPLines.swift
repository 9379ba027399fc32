package import IntentEvents
package import IntentKit
internal import Synchronization

/// MCP over lines of text, for one client on the same machine (R86).
package final class MCPLines: Sendable {
    private struct State {
        /// The client of the session that `initialize` has begun.
        var client: MCPClient?
        /// Requests that the client has cancelled: they get no response.
        var cancelled: Set<JSONRPCID> = []
    }

    private let server: MCPServer
    private let caller: Caller
    private let locale: String
    private let confirming: ConfirmingRule
    private let write: @Sendable (String) -> Void
    /// The connection, for ids of requests, which only mean something in it.
    private let session = "\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
    private let state = Mutex(State())

    /// Serves a client.
    ///
    /// - Parameters:
    ///   - desk: Acts for the user.
    ///   - registry: The intents.
    ///   - user: The user of the machine, for whom the client is an agent.
    ///   - locale: The user's language.
    ///   - publicURL: The gateway at which the user answers what an agent may not answer.
    ///   - write: Writes one line; it is called from several threads, one at a time.
    package init(
        desk: InteractionDesk,
        registry: IntentRegistry,
        user: UserID,
        locale: String,
        publicURL: String,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.server = MCPServer(desk: desk, registry: registry)
        self.caller = Caller(userID: user, isAgent: true)
        self.locale = locale
        self.confirming = ConfirmingRule(registry: registry, publicURL: publicURL)
        let turn = Mutex(())
        self.write = { line in turn.withLock { _ in write(line) } }
    }

    /// Receives a line, and returns when its response is written.
    package func receive(_ line: String) async {
        let message: JSONRPCMessage
        do throws(JSONRPCError) {
            message = try JSONRPCMessage(parsing: Array(line.utf8))
        } catch {
            return self.write("\(error.response(to: nil))\n")
        }
        switch message {
        case .request(let request):
            let response: JSONValue
            do throws(JSONRPCError) {
                response = request.response(try await self.result(of: request))
            } catch {
                response = error.response(to: request.id)
            }
            let isCancelled = self.state.withLock { $0.cancelled.remove(request.id) != nil }
            if !isCancelled { self.write("\(response)\n") }
        case .notification("notifications/cancelled", let params):
            if let json = params["requestId"], let id = try? JSONRPCID(json), self.server.isAnswering(id, self.session)
            {
                self.state.withLock { _ = $0.cancelled.insert(id) }
            }
            await self.server.cancelCall(params, self.exchange(self.client))
        case .notification: break
        case .response(let id, let outcome):
            // What is wrong with a response cannot be said to a client: there is no request to respond to.
            try? await self.server.receive(outcome, to: id, self.exchange(self.client))
        }
    }

    private var client: MCPClient {
        self.state.withLock { $0.client } ?? MCPClient(revision: .v20260728)
    }

    private func result(of request: JSONRPCRequest) async throws(JSONRPCError) -> JSONObject {
        if request.method == "initialize" {
            let (client, result) = MCPServer.initialize(request.params)
            self.state.withLock { $0.client = client }
            return result
        }
        if let client = try MCPServer.client(of: request.params) {
            return try await self.server.respond(to: request, self.exchange(client))
        }
        guard let client = self.state.withLock({ $0.client }) else {
            throw .invalidParams(
                "params._meta lacks io.modelcontextprotocol/protocolVersion, and initialize was not sent."
            )
        }
        return try await self.server.respond(to: request, self.exchange(client))
    }

    private func exchange(_ client: MCPClient) -> MCPServer.Exchange {
        MCPServer.Exchange(
            caller: self.caller,
            client: client,
            session: self.session,
            locale: self.locale,
            confirming: self.confirming,
            tracing: [:]
        ) { outgoing in
            if case .message(let json, _) = outgoing { self.write("\(json)\n") }
        }
    }
}
