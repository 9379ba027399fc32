internal import IntentEvents

/// Keeps in memory the state that is needed, and puts the rest away.
///
/// Used by a lane's task alone, between batches: a turn never waits for a disk.
struct StateResidency {
    /// Where users are put away; nil keeps everything in memory.
    let spill: (any StateSpill)?
    /// About how many bytes of state stay in memory, for all partitions of the lane together.
    let budget: Int
    /// Who was needed this recently stays, whatever it takes.
    let retention: Duration

    /// Brings these users' state into memory.
    func load(_ users: some Sequence<String>, of work: PartitionWork, at now: Timestamp) async throws(LogError) {
        guard let spill = self.spill else { return }
        for user in users { work.recent.touch(user, at: now) }
        let missing = users.filter(work.recent.spilled.contains)
        guard !missing.isEmpty else { return }
        let partition = work.partition
        let states = try await Self.attempt { try await spill.take(missing, partition: partition) }
        for state in states { work.table.putBack(state.user, state.entries) }
        work.recent.noteBack(missing)
    }

    /// Puts users away that have not been needed for a while, if there is more state than there is room for.
    ///
    /// - Parameters:
    ///   - works: The lane's partitions.
    ///   - now: The time.
    ///   - isRestoring: Whether nobody needs anybody yet.
    /// - Throws: ``LogError`` when the disk fails.
    func relieve(
        _ works: some Collection<PartitionWork>,
        at now: Timestamp,
        isRestoring: Bool = false
    ) async throws(LogError) {
        guard let spill = self.spill, !works.isEmpty else { return }
        let share = self.budget / works.count
        let limit = isRestoring ? now : now + -self.retention.milliseconds
        for work in works where work.table.byteCount > share {
            var states: [SpilledState] = []
            var kept: [String] = []
            // Down to three quarters, so that not every batch has a few to put away.
            while work.table.byteCount > share / 4 * 3, let user = work.recent.takeOldest(before: limit) {
                if work.running[user] != nil {
                    kept.append(user)
                } else if let entries = work.table.takeOut(user) {
                    states.append(SpilledState(partition: work.partition, user: user, entries: entries))
                    work.recent.noteSpilled(user)
                }
            }
            for user in kept { work.recent.touch(user, at: now) }
            guard !states.isEmpty else { continue }
            let spilled = states
            try await Self.attempt { try await spill.store(spilled) }
        }
    }

    /// Calls the closure with every user's entries, those in memory and those that are put away.
    ///
    /// - Parameters:
    ///   - work: The partition.
    ///   - goesOn: Asked now and then whether to go on.
    ///   - body: Takes a user's entries.
    /// - Returns: Whether it came to the end.
    /// - Throws: ``LogError`` when the disk fails, and what `goesOn` throws.
    func forEachUser(
        of work: PartitionWork,
        while goesOn: () async throws(LogError) -> Bool,
        _ body: (_ user: String, _ entries: [(name: String, value: [UInt8])]) -> Void
    ) async throws(LogError) -> Bool {
        for user in work.table.users { body(user, work.table.entries(of: user)) }
        guard let spill = self.spill, !work.recent.spilled.isEmpty else { return true }
        let partition = work.partition
        var last: String?
        while true {
            let after = last
            let page = try await Self.attempt { try await spill.page(partition: partition, after: after, limit: 1_000) }
            for state in page { body(state.user, PackedEntries.unpack(state.entries)) }
            guard let next = page.last?.user else { return true }
            guard try await goesOn() else { return false }
            last = next
        }
    }

    /// Forgets a partition that is somebody else's now.
    func drop(partition: Int) async throws(LogError) {
        guard let spill = self.spill else { return }
        try await Self.attempt { try await spill.drop(partition: partition) }
    }

    /// Gives up what was put away.
    func close() async { await self.spill?.close() }

    /// What goes wrong with the disk ends the session: the next one begins with what the log holds.
    private static func attempt<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws(LogError) -> Value {
        do {
            return try await body()
        } catch {
            throw LogError(.other, "State could not be put away or taken back: \(error)", isRetriable: true)
        }
    }
}
