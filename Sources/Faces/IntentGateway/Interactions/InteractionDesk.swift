package import IntentEvents
package import IntentKit

/// What every door of the gateway does for a caller: REST, server-sent events, MCP and A2A call it and nothing else.
package final class InteractionDesk: Sendable {
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

    /// Requests an intent, and returns when the log has the request.
    ///
    /// The same request under the same id again returns the interaction; another request under it is refused.
    /// - Throws: ``GatewayError``: `idConflict`, `unprocessable`, `forbidden`, `unavailable`.
    package func ask(_ request: Request, by caller: Caller) async throws(GatewayError) -> InteractionSnapshot {
        throw GatewayError(.unavailable, "The view is not ready.")
    }

    /// Sends an event about an interaction, such as `prompt.answered`, `interaction.cancelled` or `app.responded`.
    ///
    /// - Parameters:
    ///   - type: The event's type.
    ///   - data: Its data without `user`.
    ///   - id: The interaction; nil for events about the user (`user.authenticated`, `device.unlocked`, vocabularies).
    ///   - eventID: `ce_id`, from the idempotency key; nil for a new one.
    ///   - caller: The caller.
    /// - Throws: ``GatewayError``: `notFound`, `superseded`, `userMustConfirm`, `forbidden`, `unavailable`.
    package func send(
        _ type: EventType,
        _ data: JSONObject,
        to id: InteractionID?,
        eventID: String? = nil,
        by caller: Caller
    ) async throws(GatewayError) {
        throw GatewayError(.unavailable, "The view is not ready.")
    }

    /// An interaction of the caller's user.
    /// - Throws: ``GatewayError``: `notFound`, `unavailable`.
    package func interaction(_ id: InteractionID, of caller: Caller) async throws(GatewayError) -> InteractionSnapshot {
        throw GatewayError(.notFound, "No interaction \(id).")
    }

    /// Waits until the interaction's revision is higher than the given one and it waits for somebody or has ended; or
    /// until the time is over, and returns it as it is then.
    /// - Throws: ``GatewayError``: `notFound`, `unavailable`.
    package func interaction(
        _ id: InteractionID,
        of caller: Caller,
        after revision: Int64,
        within seconds: Int
    ) async throws(GatewayError) -> InteractionSnapshot {
        throw GatewayError(.notFound, "No interaction \(id).")
    }

    /// Interactions of the caller's user, newest first.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - open: True for those without a terminal response, false for the others, nil for both.
    ///   - before: The `request` of the last one of the page before.
    ///   - limit: 1 to 200.
    /// - Returns: A page of them.
    /// - Throws: ``GatewayError``: `unavailable`.
    package func interactions(
        of caller: Caller,
        open: Bool?,
        before: RequestID?,
        limit: Int
    ) async throws(GatewayError) -> [InteractionSnapshot] { [] }
}
