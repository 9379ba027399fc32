package import IntentEvents
package import IntentKit
package import IntentRuntime

/// What operators do with running work (R82), and the log of what they do (R93).
package struct OperatorDesk: Sendable {
    package let deployment: Deployment
    package let log: any EventLog
    /// Who acts.
    package let by: OperatorAct.Operator
    let clock: any RuntimeClock

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
        isMeant: (InteractionID) -> Bool
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
        let found = try await self.open(of: user, isMeant: { $0 == id })
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
    /// - Throws: `LogError`; ``OperationError`` without a reason.
    package func cancel(_ interaction: OpenInteraction) async throws -> RecordPosition {
        try self.requireReason()
        return try await self.write(self.act(.cancel, on: interaction))
    }

    /// Begins the next attempt of an interaction at once.
    /// - Returns: Where the act was written.
    /// - Throws: `LogError`; ``OperationError`` without a reason, or, when there is no such attempt, with what it is
    ///   doing.
    package func retry(_ interaction: OpenInteraction) async throws -> RecordPosition {
        try self.requireReason()
        guard interaction.activity.canRetry else {
            throw OperationError(
                .badData,
                "interaction \(interaction.id) has no attempt to begin: \(interaction.summary)"
            )
        }
        return try await self.write(self.act(.retry, on: interaction))
    }

    /// Refuses an act on running work without a reason (R93b).
    func requireReason() throws(OperationError) {
        guard self.by.reason != nil else { throw OperationError(.usage, OperatorName.missingReason) }
    }

    func act(_ kind: OperatorAct.Kind, on interaction: OpenInteraction) -> OperatorAct {
        var act = OperatorAct(kind, by: self.by)
        act.user = interaction.user
        act.interaction = interaction.id
        act.request = interaction.request
        return act
    }

    // MARK: Pauses

    /// Pauses an intent or an app in stages: interactions that come to them wait (R82d).
    /// - Throws: `LogError`; ``OperationError`` without a reason.
    package func pause(_ target: Pause.Target, in stages: [Stage]) async throws {
        try self.requireReason()
        try await self.write(.pause, target, in: stages)
    }

    /// Ends pauses of an intent or an app in stages.
    /// - Throws: `LogError`; ``OperationError`` without a reason, or when it is not paused in any of them.
    package func resume(_ target: Pause.Target, in stages: [Stage]) async throws {
        try self.requireReason()
        let paused = try await self.pauses().filter { $0.pause.target == target && stages.contains($0.stage) }
        guard !paused.isEmpty else {
            throw OperationError(.noInput, "\(target) is not paused there; list pauses with `intentd pauses`")
        }
        try await self.write(.resume, target, in: stages)
    }

    private func write(_ kind: OperatorAct.Kind, _ target: Pause.Target, in stages: [Stage]) async throws {
        let names = stages.map { JSONValue.string($0.rawValue) }
        let act = self.act(kind, target: target.description, details: ["stages": .array(names)])
        try await self.log.write(act.records(for: stages, of: self.deployment, now: self.clock.now))
    }

    /// The pauses as the stages have them, by target and stage; of partitions that differ the first one counts.
    /// - Throws: `LogError`.
    package func pauses() async throws -> [(stage: Stage, pause: Pause)] {
        var texts: [StateKey: [UInt8]] = [:]
        try await StateReader.read(self.deployment.topicPartitions(of: .state), of: self.log) { entries in
            for entry in entries where entry.key.stage != nil && entry.key.name.hasPrefix(StateName.pauses) {
                texts[entry.key] = entry.value
            }
            return true
        }
        var found: [(stage: Stage, pause: Pause)] = []
        for (key, text) in texts.sorted(by: { ($0.key.user, $0.key.name.text) < ($1.key.user, $1.key.name.text) }) {
            guard let stage = key.stage, let pause = (try? JSONValue(parsing: text)).flatMap(Pause.init(json:)),
                !found.contains(where: { $0.stage == stage && $0.pause.target == pause.target })
            else { continue }
            found.append((stage, pause))
        }
        return found.sorted {
            ($0.pause.target.description, $0.stage.rawValue) < ($1.pause.target.description, $1.stage.rawValue)
        }
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
