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
    func load(_ users: some Sequence<UserID>, of work: PartitionWork, at now: Timestamp) async throws(LogError) {
        guard let spill = self.spill else { return }
        for user in users { work.recent.touch(user, at: now) }
        let missing = users.filter(work.recent.spilled.contains)
        guard !missing.isEmpty else { return }
        let partition = work.partition
        let entries = try await Self.attempt { try await spill.take(missing, partition: partition) }
        for entry in entries { work.table.set(entry.name, user: entry.user, entry.value) }
        work.recent.noteBack(missing)
    }

    /// Puts users away that have not been needed for a while, if there is more state than there is room for.
    ///
    /// - Parameters:
    ///   - works: The lane's partitions.
    ///   - now: The time.
    /// - Throws: ``LogError`` when the disk fails.
    func relieve(_ works: some Collection<PartitionWork>, at now: Timestamp) async throws(LogError) {
        guard let spill = self.spill, !works.isEmpty else { return }
        let share = self.budget / works.count
        let limit = now + -self.retention.milliseconds
        for work in works where work.table.byteCount > share {
            var entries: [SpilledEntry] = []
            var kept: [UserID] = []
            // Down to three quarters, so that not every batch has a few to put away.
            while work.table.byteCount > share / 4 * 3, let user = work.recent.takeOldest(before: limit) {
                if work.running[user] != nil {
                    kept.append(user)
                } else if work.table.contains(user) {
                    for (name, value) in work.table.takeOut(user) {
                        entries.append(
                            SpilledEntry(partition: work.partition, user: user, name: name, value: value)
                        )
                    }
                    work.recent.noteSpilled(user)
                }
            }
            for user in kept { work.recent.touch(user, at: now) }
            guard !entries.isEmpty else { continue }
            let spilled = entries
            try await Self.attempt { try await spill.store(spilled) }
        }
    }

    // MARK: Restoring

    /// Takes over what was read back of a partition: it is put away at once, since nobody needs it yet.
    ///
    /// Whose entries are there in the end is for ``forEachRestored(of:while:_:)`` to find.
    func restore(_ entries: [SpilledEntry], of work: PartitionWork) async throws(LogError) {
        guard let spill = self.spill else {
            for entry in entries { work.table.set(entry.name, user: entry.user, entry.value) }
            return
        }
        try await Self.attempt { try await spill.store(entries) }
    }

    /// Calls the closure with every entry of a partition that was read back, all of a user's one after another.
    ///
    /// - Parameters:
    ///   - work: The partition.
    ///   - goesOn: Asked now and then whether to go on.
    ///   - body: Takes an entry.
    /// - Returns: Whether it came to the end.
    /// - Throws: ``LogError`` when the disk fails, and what `goesOn` throws.
    func forEachRestored(
        of work: PartitionWork,
        while goesOn: () async throws(LogError) -> Bool,
        _ body: (_ user: UserID, _ name: StateName, _ value: [UInt8]) -> Void
    ) async throws(LogError) -> Bool {
        guard let spill = self.spill else {
            for user in work.table.users {
                for (name, value) in work.table.entries(of: user) { body(user, name, value) }
            }
            return true
        }
        let partition = work.partition
        var last: SpilledEntry?
        while true {
            let after = last
            let page = try await Self.attempt {
                try await spill.page(partition: partition, after: after, limit: 10_000)
            }
            for entry in page {
                // Not before: of some users nothing is left.
                if entry.user != last?.user { work.recent.noteSpilled(entry.user) }
                body(entry.user, entry.name, entry.value ?? [])
                last = entry
            }
            guard !page.isEmpty else { return true }
            guard try await goesOn() else { return false }
        }
    }

    /// Forgets a partition that is somebody else's now.
    func drop(partition: Int) async throws(LogError) {
        guard let spill = self.spill else { return }
        try await Self.attempt { try await spill.drop(partition: partition) }
    }

    /// Gives up what was put away.
    func close() async { await self.spill?.close() }

    /// Puts everybody away and keeps it for the next lane of the name.
    ///
    /// - Parameters:
    ///   - works: The lane's partitions.
    ///   - ends: Where the topic `state` ends in each; everything before is in here.
    /// - Throws: ``LogError`` when the disk fails.
    func keep(_ works: some Collection<PartitionWork>, upTo ends: [Int: Int64]) async throws(LogError) {
        guard let spill = self.spill else { return }
        var kept: [Int: KeptPartition] = [:]
        for work in works {
            guard let end = ends[work.partition] else { continue }
            kept[work.partition] = KeptPartition(position: end, chain: work.chain)
            let entries = work.table.users.flatMap { user in
                work.table.entries(of: user)
                    .map { SpilledEntry(partition: work.partition, user: user, name: $0.name, value: $0.value) }
            }
            try await Self.attempt { try await spill.store(entries) }
        }
        let partitions = kept
        try await Self.attempt { try await spill.close(keeping: partitions) }
    }

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
