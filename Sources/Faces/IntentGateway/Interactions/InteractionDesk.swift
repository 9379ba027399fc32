internal import Foundation
package import IntentEvents
package import IntentKit
internal import IntentRuntime
internal import WireDocuments
internal import WireRules

/// What every door of the gateway does for a caller: REST, server-sent events, MCP and A2A call it and nothing else.
package final class InteractionDesk: Sendable {
    package struct Configuration: Sendable {
        /// Refuses an agent's answer that only the user may give (R89): it is asked with the answer's data, the
        /// interaction with its open prompt, and the caller, before the answer is sent.
        package var checkAnswer: @Sendable (JSONObject, InteractionSnapshot, Caller) throws(GatewayError) -> Void = {
            _,
            _,
            _ in
        }
        /// How long a request waits for the view to read what it has written.
        package var viewTimeout: Duration = .seconds(5)

        package init() {}
    }

    /// A request for an intent.
    package struct Request: Sendable {
        /// The interaction's id, from the idempotency key; nil for a new one.
        package var id: InteractionID?
        /// The data of `intent.requested` without `user`: `intent`, `device`, `locale`, `timeZone`, `groupIdentifier`,
        /// `expiresAt`, `setsAside`, `presentation`.
        package var data: JSONObject
        /// `traceparent` and `tracestate` of the caller.
        package var tracing: [String: String]

        package init(id: InteractionID? = nil, data: JSONObject, tracing: [String: String] = [:]) {
            self.id = id
            self.data = data
            self.tracing = tracing
        }
    }

    /// The source of the events that the gateway writes.
    package static let source = "/intentd/gateway"

    private let view: InteractionView
    private let writer: RequestWriter
    private let registry: IntentRegistry
    private let configuration: Configuration

    /// Serves callers.
    ///
    /// - Parameters:
    ///   - view: What is known about interactions; it has to run.
    ///   - writer: Writes what callers send.
    ///   - registry: The intents.
    ///   - configuration: Its settings.
    package init(
        view: InteractionView,
        writer: RequestWriter,
        registry: IntentRegistry,
        configuration: Configuration = Configuration()
    ) {
        self.view = view
        self.writer = writer
        self.registry = registry
        self.configuration = configuration
    }

    // MARK: Sending

    /// Requests an intent, and returns when the log has the request.
    ///
    /// The same request under the same id again returns the interaction, with ``InteractionSnapshot/isRepeated``;
    /// another request under it is refused. The log decides, whichever replicas were asked: what was written is compared
    /// after the view has read it.
    /// - Throws: ``GatewayError``: `idConflict`, `unprocessable`, `forbidden`, `unavailable`.
    package func ask(_ request: Request, by caller: Caller) async throws(GatewayError) -> InteractionSnapshot {
        try self.require(.ask, of: caller)
        var data = request.data
        data["user"] = .members([
            "authenticated": .bool(caller.isAuthenticated),
            "authorization": caller.authorization.map(JSONValue.string),
            "id": caller.userID.json,
        ])
        try self.checkIntent(data)
        let id = request.id ?? InteractionID(UUID().uuidString.lowercased())
        let name = InteractionName(user: caller.userID, id: id)
        let event = try self.event(.intentRequested, .object(data), id, nil, caller, tracing: request.tracing)
        var content = ""
        event.fields.withView { content = RequestContent.digest(of: $0) }
        if request.id != nil, let known = try await self.latest(name), self.isRecent(known) {
            return try Self.repeated(known, content)
        }
        let record = self.view.deployment.request(event)
        let position = RequestPosition(
            partition: Int64(record.topicPartition.partition),
            offset: try await self.writer.write(record)
        )
        guard
            await self.view.progress.reach(
                [record.topicPartition: position.offset + 1],
                within: self.configuration.viewTimeout
            ),
            let found = try await self.view.read({ try await $0.interaction(name, at: position) })
        else {
            throw GatewayError(
                .unavailable,
                "The request \(id) is on the log, but this replica has not read it yet. The same request again, with "
                    + "Idempotency-Key \(id), returns the interaction.",
                retryAfter: 2
            )
        }
        return found.entry.request == position ? found.snapshot : try Self.repeated(found, content)
    }

    private static func repeated(
        _ found: ViewedInteraction,
        _ content: String
    ) throws(GatewayError) -> InteractionSnapshot {
        guard found.entry.content == nil || found.entry.content == content else {
            throw GatewayError(
                .idConflict,
                "The id \(found.entry.name.id) was used for another request: take a new Idempotency-Key."
            )
        }
        var snapshot = found.snapshot
        snapshot.isRepeated = true
        return snapshot
    }

    /// Whether the same request counts as a client's retry (R8c).
    private func isRecent(_ found: ViewedInteraction) -> Bool {
        guard let at = found.entry.requestedAt ?? found.entry.begunAt else { return true }
        return self.view.configuration.clock.now - at < self.view.configuration.dedupeWindow.milliseconds
    }

    private func checkIntent(_ data: JSONObject) throws(GatewayError) {
        guard let intent = data["intent"]?["name"]?.string, self.registry[intent] == nil else { return }
        let hint = NearMiss.hint(intent, among: self.registry.intentNames)
        throw GatewayError(.unprocessable, "Unknown intent: \(ClientMember.shown(intent))\(hint).")
    }

    /// Sends an event about an interaction, such as `prompt.answered`, `interaction.cancelled` or `app.responded`.
    ///
    /// It returns when the view has read the event, or at the latest after a few seconds. An answer with an id that was
    /// sent before, and the cancellation of an interaction that has ended, are not sent again.
    ///
    /// - Parameters:
    ///   - type: The event's type.
    ///   - data: Its data without `user`.
    ///   - id: The interaction; nil for events about the user (`user.authenticated`, `device.unlocked`, vocabularies).
    ///   - eventID: `ce_id`, from the idempotency key; nil for a new one.
    ///   - namesPrompt: Whether the caller has named the prompt itself: then the same answer to another prompt is another
    ///     answer.
    ///   - caller: The caller.
    /// - Returns: Whether it was written; false when the log has it already, or it would change nothing.
    /// - Throws: ``GatewayError``: `notFound`, `superseded`, `idConflict`, `userMustConfirm`, `forbidden`,
    ///   `unavailable`.
    @discardableResult
    package func send(
        _ type: EventType,
        _ data: JSONObject,
        to id: InteractionID?,
        eventID: String? = nil,
        namesPrompt: Bool = true,
        by caller: Caller
    ) async throws(GatewayError) -> Bool {
        guard type.isInbound, type != .operatorDecided, type != .intentRequested else {
            throw GatewayError(.invalidRequest, "Clients do not send \(type.rawValue) here.")
        }
        try self.require(type == .promptAnswered ? .answer : .ask, of: caller)
        if type == .deviceUnlocked || type == .userAuthenticated { try ConfirmingRule.checkReport(by: caller) }
        var data = data
        data["user"] = ["id": caller.userID.json]
        let event = try self.event(type, .object(data), id, eventID, caller)
        if let id {
            guard try await self.check(event, data, InteractionName(user: caller.userID, id: id), namesPrompt, caller)
            else {
                return false
            }
        }
        let record = self.view.deployment.request(event)
        let offset = try await self.writer.write(record)
        _ = await self.view.progress.reach([record.topicPartition: offset + 1], within: self.configuration.viewTimeout)
        return true
    }

    /// Checks that an event has something to act on; false when it need not be sent.
    private func check(
        _ event: Event,
        _ data: JSONObject,
        _ name: InteractionName,
        _ namesPrompt: Bool,
        _ caller: Caller
    ) async throws(GatewayError) -> Bool {
        var found = try await self.existing(name)
        guard event.knownType == .promptAnswered else {
            guard found.entry.endedAt != nil else { return true }
            if event.knownType == .interactionCancelled { return false }
            throw GatewayError(.superseded, "Interaction \(name.id) has ended.")
        }
        let text = data["promptId"]?.string ?? ""
        guard let prompt = PromptID(text), prompt.interaction == name.id else {
            throw GatewayError(
                .invalidRequest,
                "promptId \(ClientMember.shown(text)) is no prompt of interaction \(name.id): take it from the prompt."
            )
        }
        let answer = InteractionEntry.Answer(event, to: prompt)
        if try Self.isRepeated(answer, found, namesPrompt) { return false }
        if !Self.isOpen(prompt, found) {
            // Another replica may have shown the prompt already.
            _ = await self.view.catchUp(self.home(of: caller), within: self.configuration.viewTimeout)
            found = try await self.existing(name)
        }
        if try Self.isRepeated(answer, found, namesPrompt) { return false }
        guard Self.isOpen(prompt, found) else {
            throw GatewayError(.superseded, "The prompt \(prompt) is not open: read the interaction again.")
        }
        if caller.isAgent { try self.configuration.checkAnswer(data, found.snapshot, caller) }
        return true
    }

    /// Whether the answer is on the log already (R85e).
    /// - Throws: ``GatewayError``: `idConflict` for another answer under its id.
    private static func isRepeated(
        _ answer: InteractionEntry.Answer,
        _ found: ViewedInteraction,
        _ namesPrompt: Bool
    ) throws(GatewayError) -> Bool {
        guard let known = found.entry.answers.first(where: { $0.event == answer.event }) else { return false }
        guard known.content == answer.content, !namesPrompt || known.prompt == answer.prompt else {
            throw GatewayError(.idConflict, "The id was used for another answer: take a new Idempotency-Key.")
        }
        return true
    }

    private static func isOpen(_ prompt: PromptID, _ found: ViewedInteraction) -> Bool {
        let open = found.snapshot.prompt?["promptId"]?.string
        return open == prompt.description
    }

    /// Makes an event of the caller: what it says about the user is the caller's alone.
    private func event(
        _ type: EventType,
        _ data: JSONValue,
        _ subject: InteractionID?,
        _ id: String?,
        _ caller: Caller,
        tracing: [String: String] = [:]
    ) throws(GatewayError) -> Event {
        for (name, text) in [("The interaction's id", subject?.text), ("Idempotency-Key", id)] {
            guard let text else { continue }
            guard 1...Event.maximumIDBytes ~= text.utf8.count else {
                throw GatewayError(.invalidRequest, "\(name) has 1 to \(Event.maximumIDBytes) bytes.")
            }
        }
        if let problem = EventRule.of(type).data.problem(in: data.object ?? [:], .received) {
            throw GatewayError(.unprocessable, "\(problem).")
        }
        guard data.utf8.count <= Event.maximumInboundBytes else {
            throw GatewayError(.tooLarge, "The event has more than \(Event.maximumInboundBytes) bytes.")
        }
        var passedThrough = tracing.filter { name, value in
            ["traceparent", "tracestate"].contains(name) && value.utf8.count <= Event.maximumIDBytes
        }
        passedThrough[EventHeaderName.clientID] = caller.clientID
        return Event(
            id: id ?? UUID().uuidString.lowercased(),
            source: Self.source,
            type: type,
            time: self.view.configuration.clock.now,
            subject: subject,
            userID: caller.userID,
            passedThrough: passedThrough,
            data: data
        )
    }

    // MARK: Reading

    /// An interaction of the caller's user.
    /// - Throws: ``GatewayError``: `notFound`, `forbidden`, `unavailable`.
    package func interaction(_ id: InteractionID, of caller: Caller) async throws(GatewayError) -> InteractionSnapshot {
        try self.require(.read, of: caller)
        return try await self.existing(InteractionName(user: caller.userID, id: id)).snapshot
    }

    /// Waits until the interaction's revision is higher than the given one and it waits for somebody or has ended; or
    /// until the time is over, and returns it as it is then.
    /// - Throws: ``GatewayError``: `notFound`, `forbidden`, `tooManyRequests`, `unavailable`.
    package func interaction(
        _ id: InteractionID,
        of caller: Caller,
        after revision: Int64,
        within seconds: Int
    ) async throws(GatewayError) -> InteractionSnapshot {
        try self.require(.read, of: caller)
        let name = InteractionName(user: caller.userID, id: id)
        let deadline = ContinuousClock.now + .seconds(seconds)
        var snapshot = try await self.existing(name).snapshot
        return try await self.view.progress.watching(name) { signal throws(GatewayError) in
            while true {
                if let latest = try await self.latest(name) { snapshot = latest.snapshot }
                if snapshot.revision > revision, snapshot.state.isSettled { return snapshot }
                guard await signal.wait(for: deadline - .now, clock: self.view.configuration.timer) == .changed else {
                    return snapshot
                }
            }
        }
    }

    /// Interactions of the caller's user, newest first.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - open: True for those without a terminal response, false for the others, nil for both.
    ///   - before: The `request` of the last one of the page before.
    ///   - limit: 1 to 200.
    /// - Returns: The interactions.
    /// - Throws: ``GatewayError``: `invalidRequest`, `forbidden`, `unavailable`.
    package func interactions(
        of caller: Caller,
        open: Bool?,
        before: RequestID?,
        limit: Int
    ) async throws(GatewayError) -> [InteractionSnapshot] {
        try self.require(.read, of: caller)
        guard 1...200 ~= limit else { throw GatewayError(.invalidRequest, "limit is \(limit); it is 1 to 200.") }
        var position: RequestPosition?
        if let before {
            position = RequestPosition(before.text)
            guard position != nil else {
                throw GatewayError(
                    .invalidRequest,
                    "before is \(ClientMember.shown(before.text)); it is the next of a page."
                )
            }
        }
        return try await self.view.read { [position] database in
            try await database.interactions(of: caller.userID, open: open, before: position, limit: limit)
                .map(\.snapshot)
        }
    }

    /// The events of the caller's user, from a place on, or from now on.
    /// - Throws: ``GatewayError``: `positionExpired`, `forbidden`, `unavailable`.
    package func events(
        of caller: Caller,
        after position: EventPosition? = nil
    ) async throws(GatewayError) -> EventStream {
        try self.require(.read, of: caller)
        _ = try self.view.readyDatabase()
        return try await self.view.hub.open(caller.userID, after: position)
    }

    /// Ends all streams of events, so that their connections can be closed; each can be continued in another replica.
    package func endStreams() { self.view.hub.end() }

    private func latest(_ name: InteractionName) async throws(GatewayError) -> ViewedInteraction? {
        try await self.view.read { try await $0.latest(name) }
    }

    /// An interaction of that name; one that this replica does not know may have been requested at another one.
    private func existing(_ name: InteractionName) async throws(GatewayError) -> ViewedInteraction {
        if let found = try await self.latest(name) { return found }
        let hasRead = await self.view.catchUp(
            self.view.deployment.home(of: name.user),
            within: self.configuration.viewTimeout
        )
        if let found = try await self.latest(name) { return found }
        guard hasRead else {
            throw GatewayError(.unavailable, "This replica has not read the latest events yet.", retryAfter: 2)
        }
        throw GatewayError(.notFound, "No interaction \(ClientMember.shown(name.id.text)).")
    }

    private func home(of caller: Caller) -> Int { self.view.deployment.home(of: caller.userID) }

    private func require(_ scope: Caller.Scope, of caller: Caller) throws(GatewayError) {
        guard !caller.scopes.contains(scope) else { return }
        throw GatewayError(.forbidden, "The token does not have the scope \(scope.rawValue).")
    }
}

extension InteractionSnapshot.State {
    /// Whether nothing changes until somebody acts, or ever.
    package var isSettled: Bool {
        switch self {
        case .awaitingUser, .awaitingUnlock, .awaitingSignIn, .awaitingApp, .paused, .ended: true
        case .queued, .running, .retrying: false
        }
    }
}
