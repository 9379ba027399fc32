internal import IntentEvents
package import IntentKit
internal import IntentOperations
internal import LibCrypto
internal import Synchronization

/// Calls of tools, and answers to what they ask.
extension MCPServer {
    func call(
        _ request: JSONRPCRequest,
        _ exchange: Exchange,
        _ results: MCPResults
    ) async throws(JSONRPCError) -> JSONObject {
        let params = request.params
        let arguments = params["arguments"] ?? [:]
        guard let name = params["name"]?.string else { throw .invalidParams("params.name must be the name of a tool.") }
        guard let arguments = arguments.isNull ? [:] : arguments.object else {
            throw .invalidParams("params.arguments must be an object, not \(arguments.kind).")
        }
        do throws(GatewayError) {
            if name == MCPTools.answer {
                return try await self.continueCall(arguments, request, exchange, results)
            }
            guard let intent = self.tools.intent(name, locale: exchange.locale) else {
                throw GatewayError(
                    .invalidRequest,
                    "Unknown tool: \(ClientMember.shown(name))\(NearMiss.hint(name, among: self.tools.names))."
                )
            }
            let snapshot: InteractionSnapshot
            var isFindable = true
            if let state = params["requestState"]?.string {
                snapshot = try await self.desk.interaction(InteractionID(state), of: exchange.caller)
                guard snapshot.intent == nil || snapshot.intent == name else {
                    throw GatewayError(.invalidRequest, "The requestState belongs to a call of another tool.")
                }
            } else {
                let key = try Self.key(params)
                isFindable = key != nil || exchange.client.revision.hasSessions
                let id = key.map { InteractionID($0) } ?? Self.derivedID(request.id, exchange)
                snapshot = try await self.desk.ask(
                    InteractionDesk.Request(
                        id: id,
                        data: Self.request(intent.name, arguments, params, exchange),
                        tracing: exchange.tracing
                    ),
                    by: exchange.caller
                )
            }
            let answered = try await self.answer(try Self.inputResponses(params), of: snapshot, exchange, results)
            let token = params["_meta"]?["progressToken"]
            return try await self.follow(
                snapshot,
                answered: answered,
                Following(request: request.id, progressToken: token, isFindable: isFindable, begins: false),
                exchange,
                results
            )
        } catch {
            return try self.result(of: error, results)
        }
    }

    /// What the model can do better is a tool's result; the rest is an error of the protocol.
    private func result(of error: GatewayError, _ results: MCPResults) throws(JSONRPCError) -> JSONObject {
        switch error.code {
        case .unprocessable, .idConflict, .superseded, .userMustConfirm, .notFound: return results.failure(error)
        case .invalidRequest: throw .invalidParams(error.detail)
        default: throw JSONRPCError(error)
        }
    }

    /// The tool `answer`.
    private func continueCall(
        _ arguments: JSONObject,
        _ request: JSONRPCRequest,
        _ exchange: Exchange,
        _ results: MCPResults
    ) async throws(GatewayError) -> JSONObject {
        guard let text = arguments["interaction"]?.string else {
            throw GatewayError(.invalidRequest, "arguments.interaction must name the interaction of a result.")
        }
        let id = InteractionID(text)
        let snapshot = try await self.desk.interaction(id, of: exchange.caller)
        var answered: Set<String> = []
        var data: JSONObject = arguments.filter { $0.key != "interaction" && !$0.value.isNull }
        if let open = snapshot.prompt?["promptId"], data["promptId"] == nil, !data.isEmpty { data["promptId"] = open }
        if data["action"] == "cancel", data["promptId"] == nil {
            try await self.desk.send(.interactionCancelled, [:], to: id, by: exchange.caller)
        } else if !data.isEmpty, data["promptId"] == nil, snapshot.state != .ended {
            throw GatewayError(.superseded, "The interaction asks nothing at present.")
        } else if !data.isEmpty, snapshot.state != .ended {
            let page = results.elicitation(of: snapshot).map { results.isForPage($0, of: snapshot) } ?? false
            if page, data["action"] != "decline", data["action"] != "cancel" {
                throw GatewayError(
                    .userMustConfirm,
                    "Only the user can answer that, at \(exchange.confirming.page(of: id)); an agent may decline or "
                        + "cancel."
                )
            }
            let prompt = data["promptId"]?.string ?? ""
            try await self.send(data, to: id, exchange)
            answered = [prompt]
        }
        return try await self.follow(
            snapshot,
            answered: answered,
            Following(
                request: request.id,
                progressToken: request.params["_meta"]?["progressToken"],
                isFindable: true,
                begins: false
            ),
            exchange,
            results
        )
    }

    /// The data of `intent.requested`.
    private static func request(
        _ intent: String,
        _ arguments: JSONObject,
        _ params: JSONObject,
        _ exchange: Exchange
    ) -> JSONObject {
        let meta = params["_meta"]
        var data: JSONObject = [
            "intent": ["name": .string(intent), "parameters": .object(arguments)],
            "locale": .string(meta?["intentd/locale"]?.string ?? exchange.locale),
            // The device of an agent: its user unlocks it at the page.
            "device": ["id": .string(Self.device)],
        ]
        data["timeZone"] = meta?["intentd/timeZone"]
        return data
    }

    /// The device of requests that agents make.
    static let device = "intentd-agent"

    private static func key(_ params: JSONObject) throws(GatewayError) -> String? {
        guard let key = params["_meta"]?[Self.keyName] else { return nil }
        guard let key = key.string, 1...1_024 ~= key.utf8.count else {
            throw GatewayError(.invalidRequest, "_meta[\"\(Self.keyName)\"] must be a text of 1 to 1,024 bytes.")
        }
        return key
    }

    /// The id of a call's interaction in a session, where no two requests have one id: the same request again, at any
    /// replica, is the same interaction.
    static func derivedID(_ request: JSONRPCID, _ exchange: Exchange) -> InteractionID? {
        guard exchange.client.revision.hasSessions, let session = exchange.session else { return nil }
        let digest = SHA256.digest(Array("\(session)|\(request.json)".utf8))
        return InteractionID("mcp-\(digest.hex(16))")
    }

    // MARK: Answers

    static func inputResponses(_ params: JSONObject) throws(GatewayError) -> JSONObject {
        let responses = params["inputResponses"] ?? [:]
        guard let responses = responses.isNull ? [:] : responses.object else {
            throw GatewayError(.invalidRequest, "inputResponses must be an object.")
        }
        return responses
    }

    /// Sends the answer to the open prompt, if there is one among the responses; others are ignored.
    ///
    /// - Returns: The ids of the prompts that are answered, by this request or at a page.
    func answer(
        _ responses: JSONObject,
        of snapshot: InteractionSnapshot,
        _ exchange: Exchange,
        _ results: MCPResults
    ) async throws(GatewayError) -> Set<String> {
        guard let elicitation = results.elicitation(of: snapshot), let response = responses[elicitation.id] else {
            return []
        }
        try await self.receive(response.object ?? [:], elicitation, of: snapshot, exchange, results)
        return [elicitation.id]
    }

    private func receive(
        _ result: JSONObject,
        _ elicitation: PromptElicitation,
        of snapshot: InteractionSnapshot,
        _ exchange: Exchange,
        _ results: MCPResults
    ) async throws(GatewayError) {
        if results.isForPage(elicitation, of: snapshot) {
            // The user answers at the page, unless the user does not want to.
            switch result["action"]?.string {
            case "decline", "cancel": break
            default: return
            }
            guard snapshot.state == .awaitingUser else {
                try await self.desk.send(.interactionCancelled, [:], to: snapshot.id, by: exchange.caller)
                return
            }
        }
        let data: JSONObject
        do throws(JSONRPCError) {
            data = try elicitation.answer(result)
        } catch {
            throw GatewayError(.invalidRequest, error.message)
        }
        try await self.send(data, to: snapshot.id, exchange)
    }

    /// Sends an answer; the same one again has the same id, and is sent once.
    private func send(_ data: JSONObject, to id: InteractionID, _ exchange: Exchange) async throws(GatewayError) {
        let digest = SHA256.digest(Array(JSONValue.object(data).utf8))
        do throws(GatewayError) {
            try await self.desk.send(
                .promptAnswered,
                data,
                to: id,
                eventID: "mcp-\(digest.hex(16))",
                by: exchange.caller
            )
        } catch {
            // Somebody has answered meanwhile, perhaps this client before its reply was lost: what follows is shown.
            guard error.code == .superseded else { throw error }
        }
    }

    /// Takes a client's response to a request for an elicitation, which any replica can have sent.
    package func receive(
        _ outcome: Result<JSONObject, JSONRPCError>,
        to id: JSONRPCID,
        _ exchange: Exchange
    ) async throws(GatewayError) {
        guard case .text(let text) = id, case .success(let result) = outcome else { return }
        let prompt = MCPStreamPosition.prompt(of: text)
        guard let interaction = MCPStreamPosition.interaction(of: prompt) else { return }
        let snapshot = try await self.desk.interaction(interaction, of: exchange.caller)
        let results = self.results(exchange)
        guard let elicitation = results.elicitation(of: snapshot), elicitation.id == prompt else { return }
        try await self.receive(result, elicitation, of: snapshot, exchange, results)
    }
}
