package import IntentEvents
package import IntentRuntime

extension Operations {
    /// Cancels an interaction, or begins its next attempt at once (R82).
    ///
    /// - Parameters:
    ///   - kind: `cancel` or `retry`.
    ///   - id: The interaction's id.
    ///   - user: Its user.
    ///   - request: Its request: the user may have another interaction of that id.
    ///   - by: Who acts.
    /// - Returns: Where the act was written.
    /// - Throws: ``OperationError``, `usage` where that is not allowed, `noInput` when it is not open, `badData` when it
    ///   has no attempt to begin; `LogError`.
    @discardableResult
    package func act(
        _ kind: OperatorAct.Kind,
        on id: InteractionID,
        of user: UserID,
        request: RequestID,
        by: OperatorAct.Operator
    ) async throws -> RecordPosition {
        guard self.allowsWrites else { throw OperationError(.usage, "acting is not allowed here") }
        let (log, deployment) = try self.reachedTopics()
        let desk = OperatorDesk(deployment, log: log, by: by)
        let found = try await desk.open(of: user) { $0 == id }
        guard let interaction = found.first(where: { $0.request == nil || $0.request == request }) else {
            throw OperationError(
                .noInput,
                "interaction \(id) is not open: it has ended, or its first turn has not run yet"
            )
        }
        switch kind {
        case .cancel: return try await desk.cancel(interaction)
        case .retry: return try await desk.retry(interaction)
        default: throw OperationError(.usage, "\(kind.rawValue) is no act on an interaction")
        }
    }
}
