package import IntentEvents
package import IntentRuntime

extension Operations {
    /// What is paused now, by target and stage (R82f).
    /// - Throws: ``OperationError``, `unavailable`, for one who sees only records; `LogError`.
    package func pauses() async throws -> [(stage: Stage, pause: Pause)] {
        let (log, deployment) = try self.reachedTopics()
        return try await OperatorDesk(deployment, log: log, by: .init("console", via: "console")).pauses()
    }

    /// Pauses an intent or an app in stages, or ends its pauses there (R82d, R82e).
    ///
    /// - Parameters:
    ///   - kind: `pause` or `resume`.
    ///   - target: What is meant. What no handler serves is not paused; a pause of it can be ended.
    ///   - stages: The stages.
    ///   - by: Who acts.
    /// - Throws: ``OperationError``, `usage` where that is not allowed, for an unknown target and without a reason, `noInput`
    ///   when it is not paused there; `LogError`.
    package func act(
        _ kind: OperatorAct.Kind,
        on target: Pause.Target,
        in stages: [Stage],
        by: OperatorAct.Operator
    ) async throws {
        guard self.allowsWrites, let intents else { throw OperationError(.usage, "acting is not allowed here") }
        let (log, deployment) = try self.reachedTopics()
        let desk = OperatorDesk(deployment, log: log, by: by)
        switch kind {
        case .pause:
            try target.check(in: intents.registry)
            try await desk.pause(target, in: stages)
        case .resume: try await desk.resume(target, in: stages)
        default: throw OperationError(.usage, "\(kind.rawValue) is no act on an intent or an app")
        }
    }
}
