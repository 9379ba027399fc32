package import IntentKit
internal import IntentOperations
internal import LocalHTTP

/// A2A over JSON-RPC, at `/a2a`, and the agent's card (R87).
package struct A2ARoutes: Sendable {
    private let server: A2AServer
    private let registry: IntentRegistry
    /// Whether callers need tokens.
    private let hasTokens: Bool

    package init(_ server: A2AServer, registry: IntentRegistry, hasTokens: Bool) {
        self.server = server
        self.registry = registry
        self.hasTokens = hasTokens
    }

    package var all: [GatewayRoute] {
        [
            GatewayRoute(.post, "/a2a", .authorized(nil) { await self.post($0, $1) }),
            GatewayRoute(.get, "/.well-known/agent-card.json", .open { HTTPServerResponse(json: self.card($0)) }),
        ]
    }

    /// The agent's card: its skills are the intents.
    private func card(_ request: GatewayRequest) -> JSONValue {
        let modes: JSONValue = ["application/json", "text/plain"]
        let interfaces = [A2ATask.Revision.v10, .v03]
            .map { revision -> JSONValue in
                [
                    "url": .string("\(request.baseURL)/a2a"), "protocolBinding": "JSONRPC",
                    "protocolVersion": .string(revision.rawValue),
                ]
            }
        let skills = IntentDocument.all(of: self.registry, locale: request.locale)
            .map { intent -> JSONValue in
                [
                    "id": .string(intent.name), "name": .string(intent.title),
                    "description": .string(intent.description),
                    "tags": ["intent"],
                    "examples": [.string("{\"intent\": \"\(intent.name)\", \"parameters\": {}}")],
                    "inputModes": modes, "outputModes": modes,
                ]
            }
        let scheme: JSONValue = ["bearer": ["httpAuthSecurityScheme": ["scheme": "bearer", "bearerFormat": "JWT"]]]
        return .members([
            "name": "intentd",
            "description": """
            Has done what users ask for, by intents. A message begins a task with a part whose data is \
            {"intent": NAME, "parameters": {…}}; a task that needs input takes the user's words, or data with \
            action, value, choice and corrections.
            """,
            "version": .string(ProgramVersion.number), "supportedInterfaces": .array(interfaces),
            "capabilities": ["streaming": true, "pushNotifications": false, "extendedAgentCard": false],
            "securitySchemes": self.hasTokens ? scheme : nil,
            "securityRequirements": self.hasTokens ? [["schemes": ["bearer": ["list": []]]]] : nil,
            "defaultInputModes": modes, "defaultOutputModes": modes, "skills": .array(skills),
        ])
    }

    private func post(_ http: GatewayRequest, _ caller: Caller) async -> HTTPServerResponse {
        let request: JSONRPCRequest
        do throws(JSONRPCError) {
            guard case .request(let received) = try JSONRPCMessage(parsing: http.http.body) else {
                throw .invalidRequest("Send a request with an id.")
            }
            request = received
        } catch {
            return HTTPServerResponse(json: error.response(to: nil))
        }
        guard let (method, revision) = A2AServer.Method.find(request.method) else {
            let error = JSONRPCError.methodNotFound(
                request.method,
                supported: A2AServer.Method.allCases.map(\.rawValue)
            )
            return HTTPServerResponse(json: error.response(to: request.id))
        }
        let version = http.http.headers["A2A-Version"] ?? ""
        guard version.isEmpty || ["0.3", "1.0"].contains(where: { version == $0 || version.hasPrefix($0 + ".") }) else {
            let error = JSONRPCError(
                JSONRPCError.Code(rawValue: -32009),
                "A2A-Version \(ClientMember.shown(version)) is not supported: 1.0 and 0.3 are."
            )
            return HTTPServerResponse(json: error.response(to: request.id))
        }
        let reply = StreamedReply(to: request.id, isStream: false) { send in
            var caller = caller
            // Every client of A2A is an agent, whatever its token says.
            caller.isAgent = true
            let exchange = A2AServer.Exchange(
                caller: caller,
                revision: revision,
                locale: http.locale,
                confirming: ConfirmingRule(registry: self.registry, publicURL: http.baseURL),
                tracing: http.tracing
            ) { send(StreamedReply.data(request.response($0))) }
            do throws(JSONRPCError) {
                return .success(request.response(try await self.server.respond(method, request.params, exchange)))
            } catch {
                return .failure(error)
            }
        }
        return await reply.response { HTTPServerResponse(json: $0.response(to: request.id)) }
    }
}
