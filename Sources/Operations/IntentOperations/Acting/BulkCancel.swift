package import IntentEvents
internal import IntentKit
package import IntentRecords
package import IntentRuntime

/// Cancels interactions, each with one act (R82g).
package struct BulkCancel: Sendable {
    /// What is known about one interaction.
    package enum Outcome: Hashable, Sendable {
        case cancelled
        /// It has ended otherwise, or before.
        case ended
        /// A stage has rejected the act, for this reason.
        case refused(String)
        /// It has not ended yet.
        case open
    }

    /// A selected interaction, with its act and its outcome.
    package struct Item: Sendable {
        package let interaction: RecordedInteraction
        /// It as its stage has it; nil when no stage has it.
        package let running: OpenInteraction?
        /// The id of the act that cancels it; nil when there is none, or its stage has rejected it in an earlier run.
        package fileprivate(set) var act: String?
        package fileprivate(set) var outcome: Outcome

        /// Whether an act is still to be written.
        package var isPending: Bool { self.running != nil && self.act == nil }
    }

    /// How many acts are written at once.
    private static let batch = 500
    /// How long is waited before the responses are read again.
    private static let pause = Duration.milliseconds(200)

    private let desk: OperatorDesk
    /// How far the responses were read.
    private var offsets: [TopicPartition: Int64] = [:]
    package private(set) var items: [Item] = []

    /// The open interactions of the records that a query selects.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - archive: The record database.
    ///   - known: The names that the query is checked against.
    ///   - masking: A text does not find what it masks.
    ///   - now: The time that durations count back from.
    /// - Returns: The interactions, the oldest first.
    /// - Throws: ``OperationError``, `usage`, for a query that selects everything, or what has ended; `StoreError`;
    ///   `StoreBusyError`.
    package static func matches(
        _ query: InteractionQuery,
        in archive: RecordArchive,
        _ known: KnownNames,
        _ masking: Masking,
        now: Timestamp
    ) async throws -> [RecordedInteraction] {
        var query = query
        query[.columns] = nil
        guard !query.isEmpty else {
            throw OperationError(.usage, "select interactions by id or with filters; `--state open` selects all")
        }
        guard query[.state] != InteractionSearch.State.ended.rawValue else {
            throw OperationError(.usage, "only open interactions can be cancelled, not those of `--state ended`")
        }
        query[.state] = query[.state] ?? InteractionSearch.State.open.rawValue
        let search = try query.search(known, now: now)
        var found = try await archive.interactions(search, limit: .max)
        if let text = search.text { found.removeAll { !masking.finds(text, in: $0) } }
        if found.isEmpty, let problem = known.problem(of: query) { throw OperationError(.usage, problem) }
        return found.reversed()
    }

    /// Finds out what is to be done; writes nothing.
    ///
    /// - Parameters:
    ///   - interactions: The interactions.
    ///   - desk: Cancels them.
    /// - Throws: `LogError`; ``OperationError`` when there are no topics.
    package init(_ interactions: [RecordedInteraction], at desk: OperatorDesk) async throws {
        self.desk = desk
        let ids = Set(interactions.compactMap(\.interactionID))
        guard !ids.isEmpty else { return }
        var running: [Name: OpenInteraction] = [:]
        for one in try await desk.open(isMeant: ids.contains) { running[Name(one.user, one.id, one.request)] = one }
        let since = interactions.compactMap { $0.requestedAt?.milliseconds }.min() ?? 0
        var acts: [Name: LoggedAct] = [:]
        let prefix = desk.deployment.prefix
        for one in try await desk.log.acts(.cancel, since: since - ClientClock.tolerance, prefix: prefix) {
            guard let user = one.act.user, let id = one.act.interaction, ids.contains(id) else { continue }
            acts[Name(user, id, one.act.request)] = one
        }
        var oldest: Int64?
        for interaction in interactions {
            guard let user = interaction.userID, let id = interaction.interactionID else { continue }
            let name = Name(user, id, interaction.request)
            let act = acts[name]
            if let at = act?.at.milliseconds { oldest = min(oldest ?? at, at) }
            let open = running[name]
            // No stage has an interaction whose first turn has not begun.
            let isOpen = open != nil || interaction.status == InteractionState.queued.rawValue
            self.items.append(
                Item(interaction: interaction, running: open, act: act?.id, outcome: isOpen ? .open : .ended)
            )
        }
        try await self.findRejections(since: oldest)
    }

    /// Reads what became of the acts of earlier runs: what was rejected is tried again, as it may be possible now.
    private mutating func findRejections(since oldest: Int64?) async throws {
        let partitions = Set(self.items.map { self.desk.deployment.home(of: $0.interaction.userID ?? "") })
            .map { self.desk.deployment.topicPartition(.responses, $0) }
        self.offsets = try await self.desk.log.offsets(partitions, at: .lastStable)
        guard let oldest else { return }
        for (partition, offset) in try await self.desk.log.offsets(
            partitions,
            at: .time(max(0, oldest - ClientClock.tolerance))
        ) { self.offsets[partition] = min(offset, self.offsets[partition] ?? offset) }
        try await self.readResponses()
        for index in self.items.indices where self.items[index].running != nil {
            guard case .refused = self.items[index].outcome else { continue }
            self.items[index].act = nil
            self.items[index].outcome = .open
        }
    }

    private struct Name: Hashable {
        var user: UserID
        var id: InteractionID
        var request: RequestID?

        init(_ user: UserID, _ id: InteractionID, _ request: RequestID?) {
            (self.user, self.id, self.request) = (user, id, request)
        }
    }

    /// Writes the acts that are missing, and waits for the ends.
    ///
    /// - Parameters:
    ///   - wait: How long the ends are waited for at most.
    ///   - writer: The log that is written to; nil for the one that is read.
    ///   - progress: Called with the number of interactions that are done, and of all.
    /// - Throws: `LogError`; `CancellationError`; ``OperationError`` without a reason.
    package mutating func run(
        wait: Duration,
        writer: (any EventLog)? = nil,
        _ progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws {
        try self.desk.requireReason()
        try await self.write(to: writer ?? self.desk.log)
        let end = ContinuousClock.now + wait
        while true {
            try await self.readResponses()
            let open = self.items.count { $0.outcome == .open && $0.act != nil }
            progress(self.items.count - open, self.items.count)
            guard open > 0, .now < end else { return }
            try await Task.sleep(for: Self.pause)
        }
    }

    private mutating func write(to log: any EventLog) async throws {
        let pending = self.items.indices.filter { self.items[$0].isPending }
        for start in stride(from: 0, to: pending.count, by: Self.batch) {
            let indices = pending[start..<min(start + Self.batch, pending.count)]
            var records: [OutgoingRecord] = []
            for index in indices {
                guard let running = self.items[index].running else { continue }
                let record = self.desk.record(self.desk.act(.cancel, on: running))
                self.items[index].act = record.content.header(EventHeaderName.id)
                records.append(record)
            }
            try await log.write(records)
        }
    }

    /// Reads the responses that have come since, and keeps what they say.
    private mutating func readResponses() async throws {
        let offsets = self.offsets
        let ends = try await self.desk.log.offsets(Array(offsets.keys), at: .lastStable)
        let byRequest = Dictionary(
            self.items.indices.map { (self.items[$0].interaction.request, $0) }
        ) { first, _ in first }
        let byAct = Dictionary(
            self.items.indices.compactMap { index in self.items[index].act.map { ($0, index) } }
        ) { first, _ in first }
        var outcomes: [Int: Outcome] = [:]
        try await self.desk.log.read(
            ends.reduce(into: [:]) { ranges, end in
                let start = offsets[end.key] ?? end.value
                ranges[end.key] = start..<max(start, end.value)
            }
        ) { records in
            for record in records {
                guard let event = try? StoredRecord(record, topic: .responses).decoded() else { continue }
                if event.knownType == .intentResponded, event["terminal"] == true,
                    let index = event.request.flatMap({ byRequest[$0] })
                {
                    let isOurs = event["endReason"]?.string == EndReason.abortedByOperator.rawValue
                    outcomes[index] = isOurs ? .cancelled : .ended
                } else if event.knownType == .eventRejected,
                    let index = event["eventId"]?.string.flatMap({ byAct[$0] }), outcomes[index] == nil
                {
                    outcomes[index] = .refused(event["detail"]?.string ?? "")
                }
            }
        }
        for (index, outcome) in outcomes where self.items[index].outcome == .open || self.items[index].running != nil {
            self.items[index].outcome = outcome
        }
        for (partition, end) in ends { self.offsets[partition] = max(offsets[partition] ?? 0, end) }
    }
}
