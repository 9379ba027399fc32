internal import IntentEvents
package import IntentKit
internal import IntentOperations
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

    let desk: InteractionDesk
    let tools: MCPTools
    let waits: Waits
    /// Whether this process ends its connections itself, which cancels nothing.
    private let isDraining: @Sendable () -> Bool
    /// The interactions of calls that are answered at present, by session and request.
    let calls = Mutex<[String: InteractionID]>([:])

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

    func results(_ exchange: Exchange) -> MCPResults {
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
    func abandon(_ snapshot: InteractionSnapshot, _ following: Following, _ exchange: Exchange) {
        guard !following.isFindable, snapshot.state != .ended, !self.isDraining() else { return }
        let caller = exchange.caller
        // The task of the request is cancelled.
        Task { try? await self.cancel(snapshot.id, reason: "The client closed the connection.", caller) }
    }
}
