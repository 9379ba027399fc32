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
        // Only what is meant is kept: the state of all users may be larger than the memory.
        var interactions: [StateKey: OpenInteraction] = [:]
        var parked: [StateKey: OpenInteraction] = [:]
        try await StateReader.read(partitions ?? self.deployment.topicPartitions(of: .state), of: self.log) { entries in
            for entry in entries {
                guard let stage = entry.key.stage, user == nil || entry.key.user == user else { continue }
                if entry.key.name == StateName.parked {
                    let turn = entry.value.flatMap { ParkedTurn(text: $0) }
                    let running = turn.flatMap { OpenInteraction($0, of: entry.key.user, stage) }
                    parked[entry.key] = running.flatMap { isMeant($0.id) ? $0 : nil }
                } else if entry.key.name.hasPrefix(StateName.interactions) {
                    let interaction = entry.value.flatMap { Interaction(text: $0) }
                    interactions[entry.key] = interaction.flatMap { isMeant($0.id) ? OpenInteraction($0, stage) : nil }
                }
            }
            return true
        }
        var found = Array(interactions.values)
        let byUser = Dictionary(grouping: found.indices) { User(name: found[$0].user, id: found[$0].id) }
        for running in parked.values {
            let mine = byUser[User(name: running.user, id: running.id)] ?? []
            if let index = mine.first(where: { running.request == nil || found[$0].request == running.request }) {
                found[index].activity = running.activity
                found[index].stage = running.stage
            } else {
                found.append(running)
            }
        }
        return found.sorted {
            ($0.user, $0.id.text, $0.request?.text ?? "") < ($1.user, $1.id.text, $1.request?.text ?? "")
        }
    }

    /// A user with the id of an interaction.
    private struct User: Hashable {
        var name: UserID
        var id: InteractionID
    }

    /// The open interaction with an id.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - user: Its user; nil when only one has an open interaction with that id.
    ///   - request: Its request; nil when the user has only one open interaction with that id.
    /// - Returns: The interaction.
    /// - Throws: `LogError`; ``OperationError`` when there is none, or more than one.
    package func open(
        _ id: InteractionID,
        of user: UserID?,
        request: RequestID? = nil
    ) async throws -> OpenInteraction {
        let found = try await self.open(of: user) { $0 == id }.filter { request == nil || $0.request == request }
        guard let first = found.first else {
            throw OperationError(
                .noInput,
                "no stage has an open interaction \(id); list open interactions with `intentd list --state open`"
            )
        }
        guard found.count > 1 else { return first }
        guard found.contains(where: { $0.user != first.user }) else {
            let requests = found.map { $0.request?.text ?? "none yet" }.joined(separator: ", ")
            throw OperationError(
                .usage,
                "\(first.user) has several open interactions \(id) (requests \(requests)): name one with --request"
            )
        }
        var users: [UserID] = []
        for one in found where users.last != one.user { users.append(one.user) }
        throw OperationError(
            .usage,
            "interactions \(id) of several users are open (\(users.map(\.text).joined(separator: ", "))): "
                + "name one with --user"
        )
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

    /// Ends pauses of an intent or an app in stages, also those that the stages have not read yet.
    /// - Throws: `LogError`; ``OperationError`` without a reason, or when it is not paused in any of them.
    package func resume(_ target: Pause.Target, in stages: [Stage]) async throws {
        try self.requireReason()
        guard try await self.isPaused(target, in: stages) else {
            throw OperationError(
                .noInput,
                "\(target) is not paused in these stages; list pauses with `intentd pauses`"
            )
        }
        try await self.write(.resume, target, in: stages)
    }

    /// Whether a target is paused in a stage and a partition, or will be when the stage has read the log.
    ///
    /// The last act on each partition decides. An older one than `ClientClock.tolerance` counts as read.
    private func isPaused(_ target: Pause.Target, in stages: [Stage]) async throws -> Bool {
        struct Place: Hashable {
            var stage: Stage
            var partition: Int
        }
        var isPaused: [Place: Bool] = [:]
        for (key, pause) in try await self.keptPauses() where pause.target == target {
            guard let stage = key.stage else { continue }
            isPaused[Place(stage: stage, partition: self.deployment.home(of: key.user))] = true
        }
        let since = self.clock.now + -ClientClock.tolerance
        let acts = try await self.log.acts(
            [.pause, .resume],
            since: since.milliseconds,
            prefix: self.deployment.prefix
        )
        for (act, _) in acts where act.act.target == target.description {
            guard let stage = act.stage else { continue }
            isPaused[Place(stage: stage, partition: act.partition)] = act.act.kind == .pause
        }
        return isPaused.contains { $0.value && stages.contains($0.key.stage) }
    }

    private func write(_ kind: OperatorAct.Kind, _ target: Pause.Target, in stages: [Stage]) async throws {
        let names = stages.map { JSONValue.string($0.rawValue) }
        let act = self.act(kind, target: target.description, details: ["stages": .array(names)])
        do {
            try await self.log.write(act.records(for: stages, of: self.deployment, now: self.clock.now))
        } catch {
            guard var failure = OperationError(error) else { throw error }
            let done = kind == .pause ? "paused" : "resumed"
            failure.message +=
                "\n\(target) may be \(done) in some partitions only: repeat `intentd \(kind.rawValue)`"
            throw failure
        }
    }

    /// The pauses as the stages have them, by target and stage; of partitions that differ the first one counts.
    /// - Throws: `LogError`.
    package func pauses() async throws -> [(stage: Stage, pause: Pause)] {
        var found: [(stage: Stage, pause: Pause)] = []
        for (key, pause) in try await self.keptPauses() {
            guard let stage = key.stage else { continue }
            let isKnown = found.contains { $0.stage == stage && $0.pause.target == pause.target }
            if !isKnown { found.append((stage, pause)) }
        }
        return found.sorted {
            ($0.pause.target.description, $0.stage.rawValue) < ($1.pause.target.description, $1.stage.rawValue)
        }
    }

    /// The pauses in the stages' state, of each stage and partition.
    private func keptPauses() async throws -> [(key: StateKey, pause: Pause)] {
        var texts: [StateKey: [UInt8]] = [:]
        try await StateReader.read(self.deployment.topicPartitions(of: .state), of: self.log) { entries in
            for entry in entries where entry.key.stage != nil && entry.key.name.hasPrefix(StateName.pauses) {
                texts[entry.key] = entry.value
            }
            return true
        }
        return texts.sorted { ($0.key.user, $0.key.name.text) < ($1.key.user, $1.key.name.text) }
            .compactMap { key, text in
                (try? JSONValue(parsing: text)).flatMap(Pause.init(json:)).map { (key, $0) }
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

    /// Writes an event about a user's vocabulary, with its act before it (R93a).
    /// - Returns: Where the event was written.
    /// - Throws: `LogError`.
    package func writeVocabulary(_ event: Event) async throws -> RecordPosition {
        let record = self.deployment.request(event)
        let act = self.act(
            .vocabulary,
            user: event.userID,
            target: event["type"]?.string,
            details: ["event": .string(event.type)]
        )
        let offsets = try await self.log.write([self.record(act), record])
        return RecordPosition(.requests, record.topicPartition.partition, offsets[1])
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
