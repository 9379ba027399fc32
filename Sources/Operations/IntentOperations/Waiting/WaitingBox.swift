package import IntentEvents
package import IntentKit
package import IntentRuntime

/// The interactions that wait for operators now, as the stage `handle` has them.
package struct WaitingBox {
    /// What an operator decides, in the operator's words.
    package struct Decision: Sendable {
        package var outcome: OperatorDecision.Outcome
        /// The code; nil for `success` or `failure`.
        package var code: String?
        /// The details that the user sees.
        package var details: JSONObject = [:]
        /// The words for the user; nil for none.
        package var dialog: String?

        package init(_ outcome: OperatorDecision.Outcome) { self.outcome = outcome }
    }

    private let deployment: Deployment
    private let log: any EventLog

    package init(_ deployment: Deployment, log: any EventLog) {
        self.deployment = deployment
        self.log = log
    }

    /// All of them, the oldest first.
    /// - Throws: `LogError`.
    package func interactions() async throws -> [WaitingInteraction] {
        let partitions = (0..<self.deployment.partitions).map { self.deployment.topicPartition(.state, $0) }
        var texts: [StateKey: [UInt8]] = [:]
        try await StateReader.read(partitions, of: self.log, stage: .handle) { entries in
            for entry in entries where entry.key.name.hasPrefix(StateName.interactions) {
                texts[entry.key] = entry.value
            }
            return true
        }
        return texts.values.compactMap { Interaction(text: $0).flatMap(WaitingInteraction.init) }
            .sorted { lhs, rhs in
                (lhs.interaction.startedAt, lhs.interaction.request.text)
                    < (rhs.interaction.startedAt, rhs.interaction.request.text)
            }
    }

    /// The waiting interaction with an id.
    ///
    /// - Parameters:
    ///   - id: The interaction's id, which clients choose: two users may have chosen the same.
    ///   - user: Its user; nil if only one user has that id.
    /// - Returns: The interaction.
    /// - Throws: `LogError`; ``OperationError`` when there is none, or more than one.
    package func interaction(_ id: InteractionID, of user: UserID?) async throws -> WaitingInteraction {
        let found = try await self.interactions()
            .filter { waiting in
                waiting.interaction.id == id && (user.map { $0 == UserID(waiting.interaction.user.id) } ?? true)
            }
        guard let first = found.first else {
            throw OperationError(
                .noInput,
                "interaction \(id) does not wait for an operator; list those that do with `intentd waiting list`"
            )
        }
        guard found.count == 1 else {
            let users = found.map(\.interaction.user.id).joined(separator: ", ")
            throw OperationError(.usage, "interactions \(id) of several users wait (\(users)): name one with --user")
        }
        return first
    }

    /// Writes a decision for the stages.
    ///
    /// - Parameters:
    ///   - waiting: The interaction.
    ///   - decision: The decision.
    ///   - codes: The codes of its intent; nil where they are not known.
    ///   - by: Who decides, for the operators' log.
    /// - Returns: Where it was written.
    /// - Throws: `LogError`; ``OperationError`` when the code does not fit.
    package func decide(
        _ waiting: WaitingInteraction,
        _ decision: Decision,
        codes: Set<String>?,
        by: OperatorAct.Operator
    ) async throws -> RecordPosition {
        var event = OperatorDecision(
            decision.outcome,
            request: waiting.interaction.request,
            attempts: waiting.wait.attempts,
            code: try Self.code(of: decision, codes)
        )
        event.details = decision.details
        event.dialog = decision.dialog
        let record = self.deployment.request(
            event.event(
                about: waiting.interaction.id,
                of: UserID(waiting.interaction.user.id),
                key: try await self.deployment.makeRedriveKey(on: self.log),
                now: SystemRuntimeClock().now
            )
        )
        let desk = OperatorDesk(self.deployment, log: self.log, by: by)
        var act = desk.act(
            .decide,
            user: UserID(waiting.interaction.user.id),
            interaction: waiting.interaction.id,
            details: ["decision": .string(decision.outcome.rawValue)]
        )
        act.request = waiting.interaction.request
        let offsets = try await self.log.write([desk.record(act), record])
        return RecordPosition(.requests, record.topicPartition.partition, offsets[1])
    }

    /// The code with which the interaction ends; nil when it does not end.
    private static func code(of decision: Decision, _ codes: Set<String>?) throws(OperationError) -> String? {
        guard decision.outcome != .notDone else {
            guard decision.code == nil, decision.details.isEmpty, decision.dialog == nil else {
                throw OperationError(
                    .usage,
                    "after notDone it is posted once more: code, details and dialog come with the answer"
                )
            }
            return nil
        }
        let code = decision.code ?? (decision.outcome == .done ? "success" : "failure")
        if let codes, !codes.contains(code) {
            throw OperationError(
                .usage,
                "code \(code) is none of the intent's: \(codes.sorted().joined(separator: ", "))"
            )
        }
        guard OperatorDecision.fits(code, decision.outcome) else {
            let fitting = decision.outcome == .done ? "a success, or continues in the app" : "a failure"
            throw OperationError(.usage, "code \(code) does not fit: \(decision.outcome.rawValue) needs \(fitting)")
        }
        return code
    }
}
