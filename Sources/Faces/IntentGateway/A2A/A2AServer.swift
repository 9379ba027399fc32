internal import IntentEvents
package import IntentKit
internal import IntentOperations

/// The methods of A2A over the desk (R87).
package struct A2AServer: Sendable {
    /// One request, and its way back to the client.
    package struct Exchange: Sendable {
        /// The user, for whom an agent acts.
        var caller: Caller
        var revision: A2ATask.Revision
        var locale: String
        var confirming: ConfirmingRule
        var tracing: [String: String]
        /// Sends an event of a stream before the last one.
        var send: @Sendable (JSONValue) async -> Void
    }

    /// The methods, by their names in 1.0 and in 0.3.
    package enum Method: String, CaseIterable, Sendable {
        case send = "SendMessage"
        case stream = "SendStreamingMessage"
        case get = "GetTask"
        case list = "ListTasks"
        case cancel = "CancelTask"
        case subscribe = "SubscribeToTask"

        private var oldName: String {
            switch self {
            case .send: "message/send"
            case .stream: "message/stream"
            case .get: "tasks/get"
            case .list: "tasks/list"
            case .cancel: "tasks/cancel"
            case .subscribe: "tasks/resubscribe"
            }
        }

        /// Finds a method, and the revision whose name it is.
        package static func find(_ name: String) -> (method: Method, revision: A2ATask.Revision)? {
            if let method = Method(rawValue: name) { return (method, .v10) }
            return Self.allCases.first { $0.oldName == name }.map { ($0, .v03) }
        }

        var isStream: Bool { self == .stream || self == .subscribe }
    }

    /// An error of A2A's own.
    private enum Failure: Int {
        case taskNotFound = -32001
        case taskNotCancelable = -32002
        case unsupportedOperation = -32004

        var reason: String {
            switch self {
            case .taskNotFound: "TASK_NOT_FOUND"
            case .taskNotCancelable: "TASK_NOT_CANCELABLE"
            case .unsupportedOperation: "UNSUPPORTED_OPERATION"
            }
        }

        func error(_ message: String, _ metadata: JSONObject = [:]) -> JSONRPCError {
            JSONRPCError(
                JSONRPCError.Code(rawValue: self.rawValue),
                message,
                data: [
                    [
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(self.reason),
                        "domain": "a2a-protocol.org", "metadata": .object(metadata),
                    ]
                ]
            )
        }
    }

    /// How long a message waits for the task to end or to ask, in seconds.
    private static let wait = 50

    private let desk: InteractionDesk
    private let registry: IntentRegistry

    package init(desk: InteractionDesk, registry: IntentRegistry) {
        self.desk = desk
        self.registry = registry
    }

    /// The result of a request; for a stream, its last event.
    /// - Throws: ``JSONRPCError``.
    package func respond(
        _ method: Method,
        _ params: JSONObject,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> JSONValue {
        switch method {
        case .send, .stream: return try await self.receive(try A2AMessage(params), method, params, exchange)
        case .get: return self.task(try await self.interaction(try Self.id(params), exchange), exchange).json()
        case .list: return try await self.list(params, exchange)
        case .cancel: return try await self.cancel(try Self.id(params), exchange)
        case .subscribe:
            let snapshot = try await self.interaction(try Self.id(params), exchange)
            guard snapshot.state != .ended else {
                throw Failure.unsupportedOperation.error("The task has ended: get it with GetTask.")
            }
            await exchange.send(self.task(snapshot, exchange).asResult)
            return try await self.follow(snapshot, after: [], endsWithQuestion: false, exchange)
        }
    }

    private func task(_ snapshot: InteractionSnapshot, _ exchange: Exchange) -> A2ATask {
        A2ATask(snapshot, confirming: exchange.confirming, revision: exchange.revision)
    }

    private static func id(_ params: JSONObject) throws(JSONRPCError) -> InteractionID {
        guard let id = params["id"]?.string, !id.isEmpty else { throw .invalidParams("params.id must be a task's id.") }
        return InteractionID(id)
    }

    private func interaction(
        _ id: InteractionID,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> InteractionSnapshot {
        do throws(GatewayError) {
            return try await self.desk.interaction(id, of: exchange.caller)
        } catch {
            throw Self.error(error)
        }
    }

    /// What the desk refuses, in the protocol's terms.
    private static func error(_ error: GatewayError) -> JSONRPCError {
        switch error.code {
        case .notFound: Failure.taskNotFound.error(error.detail)
        case .superseded, .userMustConfirm: Failure.unsupportedOperation.error(error.detail)
        default: JSONRPCError(error)
        }
    }

    // MARK: Messages

    private func receive(
        _ message: A2AMessage,
        _ method: Method,
        _ params: JSONObject,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> JSONValue {
        let snapshot: InteractionSnapshot
        var answered: Set<String> = []
        if let task = message.taskID {
            let known = try await self.interaction(InteractionID(task), exchange)
            let context = self.task(known, exchange).contextID
            guard message.contextID.map({ $0 == context }) ?? true else {
                throw .invalidParams("message.contextId is not that of the task, which is \(context).")
            }
            answered = try await self.answer(message, known, exchange)
            snapshot = known
        } else {
            guard let request = message.request(locale: exchange.locale) else {
                return self.explanation(message, exchange)
            }
            do throws(GatewayError) {
                snapshot = try await self.desk.ask(
                    InteractionDesk.Request(id: InteractionID(message.id), data: request, tracing: exchange.tracing),
                    by: exchange.caller
                )
            } catch {
                throw Self.error(error)
            }
        }
        if method == .stream {
            await exchange.send(self.task(snapshot, exchange).asResult)
            return try await self.follow(snapshot, after: answered, endsWithQuestion: true, exchange)
        }
        let configuration = params["configuration"]
        let returnsAtOnce = configuration?["returnImmediately"] == true || configuration?["blocking"] == false
        let settled = returnsAtOnce ? snapshot : try await self.settle(snapshot, answered, within: Self.wait, exchange)
        return self.task(settled, exchange).asResult
    }

    /// Answers the open prompt with a message; the same message again has no further effect.
    ///
    /// - Returns: The prompt that is answered.
    private func answer(
        _ message: A2AMessage,
        _ snapshot: InteractionSnapshot,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> Set<String> {
        // Without an open prompt, the desk still knows whether the message was an answer before.
        let open = snapshot.prompt?["promptId"]?.string
        let data = message.answer(to: open ?? "\(snapshot.id)/r/1")
        do throws(GatewayError) {
            try await self.desk.send(
                .promptAnswered,
                data,
                to: snapshot.id,
                eventID: message.id,
                namesPrompt: false,
                by: exchange.caller
            )
            return Set([data["promptId"]?.string].compactMap(\.self))
        } catch {
            throw Self.error(error)
        }
    }

    /// What a message without an intent gets: the agent understands requests for intents, and no free text.
    private func explanation(_ message: A2AMessage, _ exchange: Exchange) -> JSONValue {
        let text =
            "Send a part with data: {\"intent\": NAME, \"parameters\": {…}}. The skills of the agent card are the intents."
        let reply = A2ATask.message(
            "\(message.id)/reply",
            [A2ATask.text(text, in: exchange.revision)],
            in: exchange.revision,
            more: message.contextID.map { ["contextId": .string($0)] } ?? [:]
        )
        return exchange.revision == .v03 ? reply : ["message": reply]
    }

    // MARK: Following

    /// Waits until the task asks something that has not been answered, has ended, or the time is over.
    private func settle(
        _ begun: InteractionSnapshot,
        _ answered: Set<String>,
        within seconds: Int,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> InteractionSnapshot {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var snapshot = begun
        while !Self.isSettled(snapshot, answered, begun.rejection), !Task.isCancelled {
            let left = Int((deadline - .now) / .seconds(1))
            guard left > 0 else { break }
            snapshot = try await self.next(snapshot, within: min(left, 25), exchange)
        }
        return snapshot
    }

    private func next(
        _ snapshot: InteractionSnapshot,
        within seconds: Int,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> InteractionSnapshot {
        do throws(GatewayError) {
            return try await self.desk.interaction(
                snapshot.id,
                of: exchange.caller,
                after: snapshot.revision,
                within: seconds
            )
        } catch {
            throw Self.error(error)
        }
    }

    private static func isSettled(
        _ snapshot: InteractionSnapshot,
        _ answered: Set<String>,
        _ rejection: JSONValue?
    ) -> Bool {
        if snapshot.state == .ended { return true }
        guard let prompt = snapshot.prompt?["promptId"]?.string else { return false }
        return !answered.contains(prompt) || snapshot.rejection != rejection
    }

    /// Sends the states that follow, one second after the other at most, and returns the last event.
    private func follow(
        _ begun: InteractionSnapshot,
        after answered: Set<String>,
        endsWithQuestion: Bool,
        _ exchange: Exchange
    ) async throws(JSONRPCError) -> JSONValue {
        var snapshot = begun
        var sent = self.task(begun, exchange).status
        while !Task.isCancelled {
            let task = self.task(snapshot, exchange)
            let isQuestion = endsWithQuestion && Self.isSettled(snapshot, answered, begun.rejection)
            let isLast = task.state.isTerminal || task.state.isInterrupted && isQuestion
            if task.status != sent || isLast {
                var events = task.updates(isLast: isLast)
                let last = events.removeLast()
                for event in events { await exchange.send(event) }
                if isLast { return last }
                await exchange.send(last)
                sent = task.status
            }
            snapshot = try await self.next(snapshot, within: 1, exchange)
        }
        throw JSONRPCError(.internalError, "The stream was closed.")
    }

    // MARK: Lists and cancellation

    private func list(_ params: JSONObject, _ exchange: Exchange) async throws(JSONRPCError) -> JSONValue {
        let size = params["pageSize"]?.integer ?? 50
        guard 1...100 ~= size else { throw .invalidParams("params.pageSize must be 1 to 100.") }
        let state = try params["status"]
            .map { json throws(JSONRPCError) in
                guard let state = json.string.flatMap(A2ATask.State.init(name:)) else {
                    throw .invalidParams("params.status must be the name of a state.")
                }
                return state
            }
        let token = params["pageToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let page: [InteractionSnapshot]
        do throws(GatewayError) {
            page = try await self.desk.interactions(
                of: exchange.caller,
                open: state.map { !$0.isTerminal },
                before: token.map { RequestID($0) },
                limit: Int(size)
            )
        } catch {
            throw Self.error(error)
        }
        let context = params["contextId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let tasks = page.map { self.task($0, exchange) }
            .filter { task in (state.map { $0 == task.state } ?? true) && (context.map { $0 == task.contextID } ?? true)
            }
        let withArtifacts = params["includeArtifacts"] == true
        return [
            "tasks": .array(tasks.map { $0.json(withArtifacts: withArtifacts) }),
            "nextPageToken": .string(page.count == Int(size) ? page.last?.request?.text ?? "" : ""),
            "pageSize": .integer(size), "totalSize": .integer(Int64(tasks.count)),
        ]
    }

    private func cancel(_ id: InteractionID, _ exchange: Exchange) async throws(JSONRPCError) -> JSONValue {
        let known = try await self.interaction(id, exchange)
        if self.task(known, exchange).state == .canceled { return self.task(known, exchange).json() }
        guard known.state != .ended else { throw Failure.taskNotCancelable.error("The task has ended.") }
        do throws(GatewayError) {
            try await self.desk.send(.interactionCancelled, [:], to: id, by: exchange.caller)
        } catch {
            throw Self.error(error)
        }
        // Its prompt is no longer of interest: only the end is, or a refusal.
        let prompt = known.prompt?["promptId"]?.string
        let settled = try await self.settle(known, Set([prompt].compactMap(\.self)), within: 10, exchange)
        if settled.state != .ended, settled.rejection != known.rejection {
            let reason = settled.rejection?["detail"]?.string ?? "The task cannot be cancelled any more."
            throw Failure.taskNotCancelable.error(reason)
        }
        return self.task(settled, exchange).json()
    }
}
