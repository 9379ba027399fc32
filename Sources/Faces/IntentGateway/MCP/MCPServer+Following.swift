internal import IntentEvents
package import IntentKit
internal import IntentOperations
internal import Synchronization

/// Following an interaction until there is a result for its client.
extension MCPServer {
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

    func follow(
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
}
