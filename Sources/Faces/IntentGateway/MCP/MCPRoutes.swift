internal import Foundation
internal import IntentEvents
package import IntentKit
internal import LocalHTTP

/// MCP over Streamable HTTP, at `/mcp` (R86).
package struct MCPRoutes: Sendable {
    private let server: MCPServer
    private let registry: IntentRegistry
    /// The issuer of accepted tokens; nil where there are none.
    private let issuer: String?

    /// Serves MCP.
    ///
    /// - Parameters:
    ///   - server: Carries the methods out.
    ///   - registry: The intents.
    ///   - issuer: The issuer of accepted tokens, if any.
    package init(_ server: MCPServer, registry: IntentRegistry, issuer: String?) {
        self.server = server
        self.registry = registry
        self.issuer = issuer
    }

    package var all: [GatewayRoute] {
        [
            GatewayRoute(.post, "/mcp", .authorized(nil, self.post)),
            GatewayRoute(.get, "/mcp", .authorized(nil, self.resume)),
            GatewayRoute(
                .delete,
                "/mcp",
                .authorized(nil) { request, _ throws(GatewayError) in
                    // Nothing is kept of a session that would have to be deleted.
                    _ = try Self.session(of: request)
                    return HTTPServerResponse(status: 204, type: "", text: "")
                }
            ),
            GatewayRoute(.get, Self.metadataPath, .open { self.metadata($0) }),
            GatewayRoute(.get, Self.metadataPath + "/mcp", .open { self.metadata($0) }),
        ]
    }

    private static let metadataPath = "/.well-known/oauth-protected-resource"
    private static let version = "MCP-Protocol-Version"
    private static let sessionID = "Mcp-Session-Id"

    /// The metadata of the protected resource (RFC 9728): where a client gets a token.
    private func metadata(_ request: GatewayRequest) -> HTTPServerResponse {
        let path = request.http.path.last == "mcp" ? "/mcp" : ""
        return HTTPServerResponse(
            json: .members([
                "resource": .string(request.baseURL + path),
                "authorization_servers": self.issuer.map { [.string($0)] },
                "scopes_supported": .array([Caller.Scope.ask, .answer, .read].map { .string($0.rawValue) }),
                "bearer_methods_supported": ["header"], "resource_name": "intentd",
            ])
        )
    }

    // MARK: Messages

    private func post(_ http: GatewayRequest, _ caller: Caller) async throws(GatewayError) -> HTTPServerResponse {
        let message: JSONRPCMessage
        do throws(JSONRPCError) {
            message = try JSONRPCMessage(parsing: http.http.body)
        } catch {
            return Self.response(error, to: nil)
        }
        switch message {
        case .request(let request):
            do throws(JSONRPCError) {
                return try await self.answer(request, http, caller)
            } catch {
                return Self.response(error, to: request.id)
            }
        case .notification(let method, let params):
            if method == "notifications/cancelled", let session = try? Self.session(of: http) {
                await self.server.cancelCall(params, self.exchange(session.client, session.id, http, caller) { _ in })
            }
            return Self.accepted
        case .response(let id, let outcome):
            let session = try Self.session(of: http)
            let exchange = self.exchange(session.client, session.id, http, caller) { _ in }
            try await self.server.receive(outcome, to: id, exchange)
            return Self.accepted
        }
    }

    private static let accepted = HTTPServerResponse(status: 202, type: "", text: "")

    private func answer(
        _ request: JSONRPCRequest,
        _ http: GatewayRequest,
        _ caller: Caller
    ) async throws(JSONRPCError) -> HTTPServerResponse {
        if request.method == "initialize" {
            let (client, result) = MCPServer.initialize(request.params)
            var generator = SystemRandomNumberGenerator()
            let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            var response = HTTPServerResponse(json: request.response(result))
            response.headers.append((name: Self.sessionID, value: client.makeSessionID(nonce: nonce)))
            return response
        }
        let header = http.http.headers[Self.version]
        if let client = try MCPServer.client(of: request.params) {
            try MCPHeaders(http.http.headers).check(request, version: client.revision.rawValue)
            return await self.stream(request, client, nil, http, caller)
        }
        if let header, let revision = MCPClient.Revision(rawValue: header), !revision.hasSessions {
            throw .invalidParams("params._meta lacks io.modelcontextprotocol/protocolVersion.")
        }
        if let header, MCPClient.Revision(rawValue: header) == nil { throw MCPServer.unsupported(header) }
        let session: (client: MCPClient, id: String)
        do throws(GatewayError) {
            session = try Self.session(of: http)
        } catch {
            throw .invalidRequest(error.detail)
        }
        return await self.stream(request, session.client, session.id, http, caller)
    }

    /// The session of a request, which its id describes.
    private static func session(of http: GatewayRequest) throws(GatewayError) -> (client: MCPClient, id: String) {
        guard let id = http.http.headers[Self.sessionID] else {
            throw GatewayError(
                .invalidRequest,
                "The header \(Self.sessionID) is missing: begin with initialize, or declare "
                    + "io.modelcontextprotocol/protocolVersion in params._meta."
            )
        }
        guard let client = MCPClient(sessionID: id) else {
            throw GatewayError(.notFound, "There is no such session: begin with initialize.")
        }
        return (client, id)
    }

    private func exchange(
        _ client: MCPClient,
        _ session: String?,
        _ http: GatewayRequest,
        _ caller: Caller,
        _ send: @escaping @Sendable (MCPServer.Outgoing) async -> Void
    ) -> MCPServer.Exchange {
        var caller = caller
        // Every client of MCP is an agent, whatever its token says.
        caller.isAgent = true
        return MCPServer.Exchange(
            caller: caller,
            client: client,
            session: session,
            locale: http.locale,
            confirming: ConfirmingRule(registry: self.registry, publicURL: http.baseURL),
            tracing: http.tracing,
            send: send
        )
    }

    // MARK: Streams

    /// The response to a request: JSON if it is there at once, else a stream that ends with it.
    private func stream(
        _ request: JSONRPCRequest,
        _ client: MCPClient,
        _ session: String?,
        _ http: GatewayRequest,
        _ caller: Caller
    ) async -> HTTPServerResponse {
        let reply = StreamedReply(to: request.id) { send in
            let exchange = self.exchange(client, session, http, caller) { outgoing in send(Self.event(outgoing)) }
            do throws(JSONRPCError) {
                return .success(request.response(try await self.server.respond(to: request, exchange)))
            } catch {
                return .failure(error)
            }
        }
        return await reply.response { Self.response($0, to: request.id) }
    }

    /// Continues a stream of a session after its last event.
    private func resume(_ http: GatewayRequest, _ caller: Caller) async throws(GatewayError) -> HTTPServerResponse {
        guard let text = http.http.headers["Last-Event-ID"] else {
            throw GatewayError(.methodNotAllowed, "The server sends nothing that belongs to no request.")
        }
        let session = try Self.session(of: http)
        guard let position = MCPStreamPosition(text) else {
            throw GatewayError(.invalidRequest, "The header Last-Event-ID is no event's id.")
        }
        let reply = StreamedReply(to: position.request, isStream: true) { send in
            let exchange = self.exchange(session.client, session.id, http, caller) { send(Self.event($0)) }
            let request = JSONRPCRequest(id: position.request, method: "tools/call")
            do throws(JSONRPCError) {
                return .success(request.response(try await self.server.resume(position, exchange)))
            } catch {
                return .failure(error)
            }
        }
        return await reply.response { Self.response($0, to: position.request) }
    }

    /// A server-sent event.
    private static func event(_ outgoing: MCPServer.Outgoing) -> String {
        switch outgoing {
        case .message(let json, let position): StreamedReply.event(json, id: position?.text)
        case .position(let position): "id: \(position.text)\nevent: message\ndata:\n\n"
        case .waiting: ": waiting\n\n"
        }
    }

    /// An error with the status that the specification gives it.
    private static func response(_ error: JSONRPCError, to id: JSONRPCID?) -> HTTPServerResponse {
        let status =
            switch error.code {
            case .methodNotFound: 404
            case .parseError, .invalidRequest, .invalidParams: 400
            case let code where (-32029 ... -32020).contains(code.rawValue): 400
            default: 200
            }
        return HTTPServerResponse(status: status, json: error.response(to: id))
    }
}
