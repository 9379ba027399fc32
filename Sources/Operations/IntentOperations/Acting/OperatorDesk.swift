package import IntentEvents
package import IntentKit
package import IntentRuntime

/// What operators do with running work (R82), and the log of what they do (R93).
package struct OperatorDesk: Sendable {
    package let deployment: Deployment
    package let log: any EventLog
    /// Who acts.
    package let by: OperatorAct.Operator
    private let clock: any RuntimeClock

    package init(
        _ deployment: Deployment,
        log: any EventLog,
        by: OperatorAct.Operator,
        clock: any RuntimeClock = SystemRuntimeClock()
    ) {
        self.deployment = deployment
        self.log = log
        self.by = by
        self.clock = clock
    }

    // MARK: Finding

    /// The open interactions that are meant, from the stages' state.
    ///
    /// An interaction whose turn is parked is found by that turn.
    ///
    /// - Parameters:
    ///   - user: Their user; nil for all users, whose state is read then.
    ///   - isMeant: Selects interactions by id.
    /// - Returns: The interactions, by user and id.
    /// - Throws: `LogError`.
    package func open(
        of user: UserID? = nil,
        _ isMeant: (InteractionID) -> Bool
    ) async throws -> [OpenInteraction] {
        let partitions = user.map { [self.deployment.topicPartition(.state, self.deployment.home(of: $0))] }
        var texts: [StateKey: [UInt8]] = [:]
        try await StateReader.read(partitions ?? self.deployment.topicPartitions(of: .state), of: self.log) { entries in
            for entry in entries {
                guard entry.key.stage != nil, user == nil || entry.key.user == user,
                    entry.key.name == StateName.parked || entry.key.name.hasPrefix(StateName.interactions)
                else { continue }
                texts[entry.key] = entry.value
            }
            return true
        }
        var found: [OpenInteraction] = []
        for (key, text) in texts {
            guard let stage = key.stage, key.name.hasPrefix(StateName.interactions),
                let interaction = Interaction(text: text), isMeant(interaction.id)
            else { continue }
            found.append(OpenInteraction(interaction, stage))
        }
        for (key, text) in texts {
            guard let stage = key.stage, key.name == StateName.parked, let parked = ParkedTurn(text: text),
                let running = OpenInteraction(parked, of: key.user, stage), isMeant(running.id)
            else { continue }
            if let index = found.firstIndex(where: { $0.id == running.id && $0.user == running.user }) {
                found[index].activity = running.activity
                found[index].stage = stage
            } else {
                found.append(running)
            }
        }
        return found.sorted { ($0.user, $0.id.text) < ($1.user, $1.id.text) }
    }

    /// The open interaction with an id.
    /// - Throws: `LogError`; ``OperationError`` when there is none, or more than one.
    package func open(_ id: InteractionID, of user: UserID?) async throws -> OpenInteraction {
        let found = try await self.open(of: user) { $0 == id }
        guard let first = found.first else {
            throw OperationError(
                .noInput,
                "no stage has an open interaction \(id); list open interactions with `intentd list --state open`"
            )
        }
        guard found.count == 1 else {
            let users = found.map(\.user.text).joined(separator: ", ")
            throw OperationError(
                .usage,
                "interactions \(id) of several users are open (\(users)): name one with --user"
            )
        }
        return first
    }

    // MARK: Acting

    /// Cancels an interaction.
    /// - Returns: Where the act was written.
    /// - Throws: `LogError`.
    package func cancel(_ interaction: OpenInteraction) async throws -> RecordPosition {
        try await self.write(self.act(.cancel, on: interaction))
    }

    /// Begins the next attempt of an interaction at once.
    /// - Returns: Where the act was written.
    /// - Throws: `LogError`; ``OperationError`` that says what it is doing, when there is no such attempt.
    package func retry(_ interaction: OpenInteraction) async throws -> RecordPosition {
        guard interaction.activity.canRetry else {
            throw OperationError(
                .badData,
                "interaction \(interaction.id) has no attempt to begin: \(interaction.summary)"
            )
        }
        return try await self.write(self.act(.retry, on: interaction))
    }

    private func act(_ kind: OperatorAct.Kind, on interaction: OpenInteraction) -> OperatorAct {
        var act = OperatorAct(kind, by: self.by)
        act.user = interaction.user
        act.interaction = interaction.id
        act.request = interaction.request
        return act
    }

    // MARK: The log

    /// An act by this operator.
    package func act(
        _ kind: OperatorAct.Kind,
        user: UserID? = nil,
        interaction: InteractionID? = nil,
        target: String? = nil,
        details: JSONObject = [:]
    ) -> OperatorAct {
        var act = OperatorAct(kind, by: self.by)
        act.user = user
        act.interaction = interaction
        act.target = target
        act.details = details
        return act
    }

    /// The record of an act, to be written with what it does.
    package func record(_ act: OperatorAct) -> OutgoingRecord { act.record(of: self.deployment, now: self.clock.now) }

    /// Writes an act to the log.
    /// - Returns: Where it was written.
    /// - Throws: `LogError`.
    @discardableResult
    package func write(_ act: OperatorAct) async throws -> RecordPosition {
        let record = self.record(act)
        let offsets = try await self.log.write([record])
        return RecordPosition(.signals, record.topicPartition.partition, offsets[0])
    }
}
