package import IntentEvents
internal import IntentKit
package import IntentRuntime

extension Operations {
    /// The interactions that wait until an operator decides the outcome of their posts, the oldest first (R76).
    /// - Throws: ``OperationError``; `LogError`.
    package func waiting() async throws -> [WaitingInteraction] {
        let (log, deployment) = try self.reachedTopics()
        return try await WaitingBox(deployment, log: log).interactions()
    }

    /// Decides the outcome of the post of an interaction.
    ///
    /// - Parameters:
    ///   - id: The interaction's id.
    ///   - user: Its user.
    ///   - decision: The decision.
    ///   - by: Who decides.
    /// - Returns: Where it was written.
    /// - Throws: ``OperationError``, `usage` where that is not allowed; `LogError`.
    package func decide(
        _ id: InteractionID,
        of user: UserID?,
        _ decision: WaitingBox.Decision,
        by: OperatorAct.Operator
    ) async throws -> RecordPosition {
        guard self.allowsWrites else { throw OperationError(.usage, "deciding is not allowed here") }
        let (log, deployment) = try self.reachedTopics()
        let box = WaitingBox(deployment, log: log)
        let waiting = try await box.interaction(id, of: user)
        let name = waiting.interaction.intent.name
        let codes = self.intents?.registry[name]?.registration.codes
        return try await box.decide(waiting, decision, codes: codes, by: by)
    }
}
