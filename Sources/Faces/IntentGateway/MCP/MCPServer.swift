internal import IntentEvents
package import IntentKit
internal import IntentOperations
internal import LibCrypto
internal import Synchronization

/// The methods of MCP, whatever carries its messages (R86).
package final class MCPServer: Sendable {
    /// How long calls wait, in seconds.
    package struct Waits: Sendable {
        /// After which time a client that takes tasks gets one.
        package var task = 5
        /// For an interaction to end, for clients that take no tasks.
        package var call = 300
        /// For the user to answer at a page.
        package var page = 50

        package init() {}
    }

    /// One request, and its way back to the client.
    package struct Exchange: Sendable {
        /// The user, for whom an agent acts.
        var caller: Caller
        var client: MCPClient
        /// The session, or the connection of a client without sessions; nil where nothing connects two requests.
        var session: String?
        var locale: String
        var confirming: ConfirmingRule
        var tracing: [String: String]
        /// Sends what comes before the response.
        var send: @Sendable (Outgoing) async -> Void
    }

    /// What comes before a response.
    package enum Outgoing: Sendable {
        /// A notification, or a request of revisions with sessions.
        case message(JSONValue, MCPStreamPosition?)
        /// The position from which the client continues if the connection breaks now.
        case position(MCPStreamPosition)
        /// Nothing yet.
        case waiting
    }

    package static let info: JSONValue = [
        "name": "intentd", "title": "intentd", "version": .string(ProgramVersion.number),
    ]

    private static let instructions = """
        Each tool is something that the user can have done. Pass on what the user has said, in the user's words, and \
        leave out the rest: what is missing is asked for. To repeat a call safely, send the same \
        _meta["\(MCPServer.keyName)"] with it. Some questions only the user can answer, at the address in the result.
        """

    /// The member of `_meta` by which a call can be repeated: the id of its interaction.
    package static let keyName = "intentd/idempotencyKey"

    private let desk: InteractionDesk
    let tools: MCPTools
    private let waits: Waits
    /// Whether this process ends its connections itself, which cancels nothing.
    private let isDraining: @Sendable () -> Bool
    /// The interactions of calls that are answered at present, by session and request.
    private let calls = Mutex<[String: InteractionID]>([:])

    package init(
        desk: InteractionDesk,
        registry: IntentRegistry,
        waits: Waits = Waits(),
        isDraining: @escaping @Sendable () -> Bool = { false }
    ) {
        self.desk = desk
        self.tools = MCPTools(registry: registry)
        self.waits = waits
        self.isDraining = isDraining
    }

    // MARK: What a client declares

    /// The client of a stateless request (2026-07-28); nil for a request of a session.
    /// - Throws: ``JSONRPCError`` where it declares something else than a supported revision and its capabilities.
    package static func client(of params: JSONObject) throws(JSONRPCError) -> MCPClient? {
        let meta = params["_meta"]
        guard let version = meta?["io.modelcontextprotocol/protocolVersion"] else { return nil }
        guard let version = version.string else { throw .invalidParams("protocolVersion must be a text.") }
        guard let revision = MCPClient.Revision(rawValue: version), !revision.hasSessions else {
            throw Self.unsupported(version)
        }
        guard let capabilities = meta?["io.modelcontextprotocol/clientCapabilities"], capabilities.object != nil else {
            throw .invalidParams("params._meta lacks io.modelcontextprotocol/clientCapabilities.")
        }
        return MCPClient(revision: revision, capabilities: capabilities)
    }

    static func unsupported(_ version: String) -> JSONRPCError {
        JSONRPCError(
            JSONRPCError.Code(rawValue: -32022),
            "Unsupported protocol version",
            data: ["supported": .array(MCPClient.Revision.names.map(JSONValue.string)), "requested": .string(version)]
        )
    }

    /// The client that begins a session with `initialize`, and the result.
    static func initialize(_ params: JSONObject) -> (client: MCPClient, result: JSONObject) {
        let wanted = params["protocolVersion"]?.string.flatMap(MCPClient.Revision.init(rawValue:))
        let revision = wanted.flatMap { $0.hasSessions ? $0 : nil } ?? .newestWithSessions
        let result: JSONObject = [
            "protocolVersion": .string(revision.rawValue), "capabilities": ["tools": [:]], "serverInfo": Self.info,
            "instructions": .string(Self.instructions),
        ]
        return (MCPClient(revision: revision, capabilities: params["capabilities"]), result)
    }

    // MARK: Methods

    /// The result of a request.
    /// - Throws: ``JSONRPCError``.
    package func respond(to request: JSONRPCRequest, _ exchange: Exchange) async throws(JSONRPCError) -> JSONObject {
        let results = self.results(exchange)
        let hasSessions = exchange.client.revision.hasSessions
        switch request.method {
        case "ping" where hasSessions: return [:]
        case "server/discover" where !hasSessions:
            return self.cacheable(
                [
                    "supportedVersions": .array(MCPClient.Revision.names.map(JSONValue.string)),
                    "capabilities": ["tools": [:], "extensions": [MCPClient.tasksExtension: [:]]],
                    "instructions": .string(Self.instructions),
                ],
                results
            )
        case "tools/list":
            return self.cacheable(["tools": .array(self.tools.list(locale: exchange.locale))], results)
        case "tools/call": return try await self.call(request, exchange, results)
        case "tasks/get" where !hasSessions:
            return results.detailedTask(of: try await self.task(request, exchange))
        case "tasks/update" where !hasSessions:
            let snapshot = try await self.task(request, exchange)
            do throws(GatewayError) {
                _ = try await self.answer(try Self.inputResponses(request.params), of: snapshot, exchange, results)
            } catch {
                throw JSONRPCError(error)
            }
            return results.complete([:])
        case "tasks/cancel" where !hasSessions:
            let snapshot = try await self.task(request, exchange)
            try await self.cancel(snapshot.id, reason: nil, exchange.caller)
            return results.complete([:])
        default:
            let own =
                hasSessions
                ? ["initialize", "ping"] : ["server/discover", "tasks/get", "tasks/update", "tasks/cancel"]
            throw .methodNotFound(request.method, supported: ["tools/list", "tools/call"] + own)
        }
    }

    private func results(_ exchange: Exchange) -> MCPResults {
        MCPResults(
            client: exchange.client,
            confirming: exchange.confirming,
            tools: self.tools,
            locale: exchange.locale
        )
    }

    /// Results that clients may keep for a while, where they do (2026-07-28).
    private func cacheable(_ members: JSONObject, _ results: MCPResults) -> JSONObject {
        var members = results.complete(members)
        if members["resultType"] != nil {
            members["ttlMs"] = 60_000
            members["cacheScope"] = "private"
        }
        return members
    }

    // MARK: Calls

    private func call(
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
    private static func derivedID(_ request: JSONRPCID, _ exchange: Exchange) -> InteractionID? {
        guard exchange.client.revision.hasSessions, let session = exchange.session else { return nil }
        let digest = SHA256.digest(Array("\(session)|\(request.json)".utf8))
        return InteractionID("mcp-\(digest.hex(16))")
    }

    // MARK: Answers

    private static func inputResponses(_ params: JSONObject) throws(GatewayError) -> JSONObject {
        let responses = params["inputResponses"] ?? [:]
        guard let responses = responses.isNull ? [:] : responses.object else {
            throw GatewayError(.invalidRequest, "inputResponses must be an object.")
        }
        return responses
    }

    /// Sends the answer to the open prompt, if there is one among the responses; others are ignored.
    ///
    /// - Returns: The ids of the prompts that are answered, by this request or at a page.
    private func answer(
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
                return try await self.desk.send(.interactionCancelled, [:], to: snapshot.id, by: exchange.caller)
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

    // MARK: Following

    /// How a call is followed until there is a result.
    struct Following: Sendable {
        var request: JSONRPCID
        var progressToken: JSONValue?
        /// Whether its client can find the interaction again after it has lost the connection.
        var isFindable: Bool
        /// Whether the client has the position of the stream already, and continues there.
        var begins: Bool
        /// The last request for an elicitation that was sent on the stream.
        var elicited: String?
    }

    /// Continues a stream of a session whose connection was lost, on any replica.
    package func resume(_ position: MCPStreamPosition, _ exchange: Exchange) async throws(JSONRPCError) -> JSONObject {
        do throws(GatewayError) {
            let snapshot = try await self.desk.interaction(position.interaction, of: exchange.caller)
            return try await self.follow(
                snapshot,
                answered: [],
                Following(
                    request: position.request,
                    progressToken: position.progressToken,
                    isFindable: true,
                    begins: true,
                    elicited: position.elicited
                ),
                exchange,
                self.results(exchange)
            )
        } catch {
            throw JSONRPCError(error)
        }
    }

    private func follow(
        _ begun: InteractionSnapshot,
        answered: Set<String>,
        _ following: Following,
        _ exchange: Exchange,
        _ results: MCPResults
    ) async throws(GatewayError) -> JSONObject {
        let name = "\(exchange.session ?? "")|\(following.request.json)"
        if exchange.session != nil { self.calls.withLock { $0[name] = begun.id } }
        defer { if exchange.session != nil { self.calls.withLock { _ = $0.removeValue(forKey: name) } } }
        var following = following
        var snapshot = begun
        var answered = answered
        var watch = Watch(token: following.progressToken, rejection: begun.rejection)
        if let elicited = following.elicited { answered.insert(MCPStreamPosition.prompt(of: elicited)) }
        while true {
            let isAtPage = results.elicitation(of: snapshot).map { answered.contains($0.id) } ?? false
            let limit =
                exchange.client.hasTasks
                ? self.waits.task
                : isAtPage && !exchange.client.revision.hasSessions
                    ? self.waits.page : self.waits.call
            snapshot = try await self.settle(snapshot, answered, within: limit, &following, &watch, exchange)
            if Task.isCancelled {
                self.abandon(snapshot, following, exchange)
                throw GatewayError(.unavailable, "The request was cancelled.")
            }
            guard snapshot.state != .ended, snapshot.prompt != nil else { break }
            guard exchange.client.revision.hasSessions, let asked = results.elicitationParams(of: snapshot) else {
                if let result = results.inputRequired(snapshot) { return result }
                break
            }
            guard !answered.contains(asked.id) || snapshot.rejection != watch.rejection else { break }
            // A question that is asked again has another number.
            let again = following.elicited.map { MCPStreamPosition.prompt(of: $0) == asked.id } ?? false
            following.elicited = again ? MCPStreamPosition.next(following.elicited ?? asked.id) : asked.id
            watch.rejection = snapshot.rejection
            answered.insert(asked.id)
            let request = JSONRPCRequest(
                id: .text(following.elicited ?? asked.id),
                method: "elicitation/create",
                params: asked.params
            )
            await exchange.send(.message(request.json, self.position(snapshot, following, exchange)))
        }
        if exchange.client.hasTasks, snapshot.state != .ended, snapshot.prompt == nil {
            return results.task(of: snapshot)
        }
        return results.result(of: snapshot)
    }

    /// What has been seen of an interaction by the client.
    private struct Watch {
        let token: JSONValue?
        var rejection: JSONValue?
        var progress = 0.0
        var said: String?
    }

    /// Waits until the interaction asks something that has not been answered, or has ended, or the time is over.
    private func settle(
        _ begun: InteractionSnapshot,
        _ answered: Set<String>,
        within seconds: Int,
        _ following: inout Following,
        _ watch: inout Watch,
        _ exchange: Exchange
    ) async throws(GatewayError) -> InteractionSnapshot {
        let deadline = ContinuousClock.now + .seconds(seconds)
        // Most interactions ask or end at once: then no stream begins.
        var quiet = 2
        var snapshot = begun
        while !Self.isSettled(snapshot, answered, watch.rejection), !Task.isCancelled {
            let left = Int((deadline - .now) / .seconds(1))
            guard left > 0 else { break }
            let step = quiet > 0 ? min(quiet, left) : watch.token == nil ? min(left, 25) : 1
            snapshot = try await self.desk.interaction(
                snapshot.id,
                of: exchange.caller,
                after: snapshot.revision,
                within: step
            )
            if quiet > 0, !Self.isSettled(snapshot, answered, watch.rejection) {
                quiet = 0
                await self.begin(snapshot, &following, exchange)
            }
            await self.report(snapshot, &watch, following, exchange)
        }
        return snapshot
    }

    private func begin(_ snapshot: InteractionSnapshot, _ following: inout Following, _ exchange: Exchange) async {
        guard !following.begins else { return }
        following.begins = true
        await exchange.send(self.position(snapshot, following, exchange).map(Outgoing.position) ?? .waiting)
    }

    private static func isSettled(
        _ snapshot: InteractionSnapshot,
        _ answered: Set<String>,
        _ rejection: JSONValue?
    ) -> Bool {
        if snapshot.state == .ended { return true }
        guard let prompt = snapshot.prompt?["promptId"]?.string else { return false }
        return !answered.contains(prompt)
            || snapshot.rejection != rejection && snapshot.rejection?["promptId"]?.string == prompt
    }

    /// Where a client of a session continues; nil for other clients, whose streams cannot be continued.
    private func position(
        _ snapshot: InteractionSnapshot,
        _ following: Following,
        _ exchange: Exchange
    ) -> MCPStreamPosition? {
        guard exchange.client.revision.hasSessions else { return nil }
        return MCPStreamPosition(
            interaction: snapshot.id,
            request: following.request,
            elicited: following.elicited,
            progressToken: following.progressToken
        )
    }

    /// Reports progress that has grown, to a client that wants it.
    private func report(
        _ snapshot: InteractionSnapshot,
        _ watch: inout Watch,
        _ following: Following,
        _ exchange: Exchange
    ) async {
        guard let token = watch.token, snapshot.state != .ended, let progress = snapshot.response?["progress"] else {
            return
        }
        let fraction = progress["fraction"]?.number
        let text = progress["text"]?.string
        guard (fraction ?? 0) > watch.progress || fraction == nil && text != watch.said else { return }
        watch.progress = fraction ?? watch.progress.nextUp
        watch.said = text
        let params = JSONValue.members([
            "progressToken": token, "progress": .number(watch.progress), "total": fraction == nil ? nil : 1,
            "message": text.map(JSONValue.string),
        ])
        let message: JSONValue = ["jsonrpc": "2.0", "method": "notifications/progress", "params": params]
        await exchange.send(.message(message, self.position(snapshot, following, exchange)))
    }

    // MARK: Tasks and cancellation

    /// The interaction of a request about a task.
    private func task(
        _ request: JSONRPCRequest,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> InteractionSnapshot {
        guard exchange.client.hasTasks else {
            throw JSONRPCError(
                JSONRPCError.Code(rawValue: -32021),
                "Missing required client capability",
                data: ["requiredCapabilities": ["extensions": [MCPClient.tasksExtension: [:]]]]
            )
        }
        guard let id = request.params["taskId"]?.string else { throw .invalidParams("params.taskId must be a text.") }
        do throws(GatewayError) {
            return try await self.desk.interaction(InteractionID(id), of: exchange.caller)
        } catch {
            throw JSONRPCError(error)
        }
    }

    private func cancel(_ id: InteractionID, reason: String?, _ caller: Caller) async throws(JSONRPCError) {
        do throws(GatewayError) {
            let reason = reason.map { JSONObject([(key: "reason", value: JSONValue.string($0))]) } ?? [:]
            try await self.desk.send(.interactionCancelled, reason, to: id, by: caller)
        } catch {
            guard error.code != .superseded else { return }
            throw JSONRPCError(error)
        }
    }

    /// Whether a request of a session is being answered here.
    func isAnswering(_ request: JSONRPCID, _ session: String) -> Bool {
        self.calls.withLock { $0["\(session)|\(request.json)"] != nil }
    }

    /// Cancels the interaction of a request that is being answered here, or was begun in the session at any replica.
    package func cancelCall(_ params: JSONObject, _ exchange: Exchange) async {
        guard let json = params["requestId"], let request = try? JSONRPCID(json) else { return }
        let name = "\(exchange.session ?? "")|\(request.json)"
        let id = self.calls.withLock { $0[name] } ?? Self.derivedID(request, exchange)
        guard let id else { return }
        // A cancellation gets no response: what is unknown or has ended needs none.
        try? await self.cancel(id, reason: params["reason"]?.string, exchange.caller)
    }

    /// Cancels the interaction of a call whose client has closed the connection, which cancels it (2026-07-28), unless
    /// the client can find it again: then a lost connection is no cancellation.
    private func abandon(_ snapshot: InteractionSnapshot, _ following: Following, _ exchange: Exchange) {
        guard !following.isFindable, snapshot.state != .ended, !self.isDraining() else { return }
        let caller = exchange.caller
        // The task of the request is cancelled.
        Task { try? await self.cancel(snapshot.id, reason: "The client closed the connection.", caller) }
    }
}
