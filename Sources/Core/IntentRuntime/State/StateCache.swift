internal import IntentEvents

/// Keeps recently used state in memory, and evicts the rest to the lane's file.
///
/// Only a lane's task uses it, between batches: a turn never waits for a disk.
struct StateCache {
    /// The file for evicted users; nil keeps everything in memory.
    let spill: (any StateSpill)?
    /// About how many bytes of state stay in memory, for all partitions of the lane together.
    let budget: Int
    /// Users that were needed this recently stay in memory, whatever the size.
    let retention: Duration

    /// Loads these users' state into memory.
    func load(_ users: some Sequence<UserID>, of work: PartitionWork, at now: Timestamp) async throws(LogError) {
        guard let spill = self.spill else { return }
        for user in users { work.recent.touch(user, at: now) }
        let missing = users.filter(work.recent.spilled.contains)
        let queued = work.queues.isEmpty ? [] : users.map { ($0, work.missingOfQueue(of: $0)) }.filter { !$0.1.isEmpty }
        guard !missing.isEmpty || !queued.isEmpty else { return }
        let partition = work.partition
        let waiting = Dictionary(queued) { $1 }
        let entries = try await Self.attempt {
            try await spill.load(missing, waiting: waiting, partition: partition)
        }
        for entry in entries { work.table.set(entry.name, user: entry.user, entry.value) }
        work.recent.recordBack(missing)
    }

    /// Evicts users that have not been needed for a while, if there is too much state.
    ///
    /// - Parameters:
    ///   - works: The lane's partitions.
    ///   - now: The time.
    /// - Throws: ``LogError`` when the disk fails.
    func evict(_ works: some Collection<PartitionWork>, at now: Timestamp) async throws(LogError) {
        guard let spill = self.spill, !works.isEmpty else { return }
        let queueWrites = works.flatMap { $0.drainQueueWrites() }
        if !queueWrites.isEmpty { try await Self.attempt { try await spill.store(queueWrites) } }
        let share = self.budget / works.count
        let limit = now + -self.retention.milliseconds
        for work in works where work.table.byteCount > share {
            var entries: [SpilledEntry] = []
            var kept: [UserID] = []
            // Down to three quarters, so that not every batch evicts a few users.
            while work.table.byteCount > share / 4 * 3, let user = work.recent.popOldest(before: limit) {
                if work.running[user] != nil {
                    kept.append(user)
                } else if work.table.contains(user) {
                    // Entries that the file has already are not written again.
                    entries.append(contentsOf: work.entries(of: user, work.unsaved?.pop(user) ?? []))
                    work.table.evict(user)
                    work.recent.recordSpilled(user)
                }
            }
            for user in kept { work.recent.touch(user, at: now) }
            guard !entries.isEmpty else { continue }
            entries.sort { ($0.user, $0.name) < ($1.user, $1.name) }
            let spilled = entries
            try await Self.attempt { try await spill.store(spilled) }
        }
    }

    // MARK: The file

    /// Writes entries that are due for a checkpoint, about this many.
    ///
    /// - Returns: Whether nothing is due any more.
    /// - Throws: ``LogError`` when the disk fails.
    func save(_ works: some Collection<PartitionWork>, limit: Int) async throws(LogError) -> Bool {
        guard let spill = self.spill else { return true }
        var entries: [SpilledEntry] = []
        for work in works where entries.count < limit {
            for (user, names) in work.unsaved?.popDue(limit: limit - entries.count) ?? [] {
                entries.append(contentsOf: work.entries(of: user, names))
            }
        }
        if !entries.isEmpty {
            let written = entries
            try await Self.attempt { try await spill.store(written) }
        }
        return works.allSatisfy { $0.unsaved?.isNothingDue ?? true }
    }

    /// Records in the file up to which offsets it is valid: all earlier changes are written.
    ///
    /// - Parameters:
    ///   - ends: Where the topic `state` ended in each partition.
    ///   - works: The lane's partitions.
    ///   - age: How long ago these ends were queried.
    /// - Throws: ``LogError`` when the disk fails.
    func record(_ ends: [Int: Int64], of works: some Collection<PartitionWork>, age: Duration) async throws(LogError) {
        guard let spill = self.spill, !ends.isEmpty else { return }
        let positions = Self.kept(works, upTo: ends)
        try await Self.attempt { try await spill.store([], upTo: positions, age: age) }
    }

    private static func kept(_ works: some Collection<PartitionWork>, upTo ends: [Int: Int64]) -> [Int: KeptPartition] {
        var kept: [Int: KeptPartition] = [:]
        for work in works {
            guard let end = ends[work.partition] else { continue }
            kept[work.partition] = KeptPartition(position: end, chain: work.chain, read: work.read)
        }
        return kept
    }

    // MARK: Restoring

    /// Writes restored entries of a partition to the file at once, since no turn needs them yet.
    ///
    /// ``forEachRestored(of:while:_:)`` finds which users have entries in the end.
    func restore(_ entries: [SpilledEntry], of work: PartitionWork) async throws(LogError) {
        guard let spill = self.spill else {
            for entry in entries { work.table.set(entry.name, user: entry.user, entry.value) }
            return
        }
        try await Self.attempt { try await spill.store(entries) }
    }

    /// Calls the closure with every restored entry of a partition; a user's entries are adjacent, by name.
    ///
    /// - Parameters:
    ///   - work: The partition.
    ///   - shouldContinue: Called now and then; says whether to continue.
    ///   - body: Receives an entry.
    /// - Returns: Whether it came to the end.
    /// - Throws: ``LogError`` when the disk fails, and what the closures throw.
    func forEachRestored(
        of work: PartitionWork,
        while shouldContinue: () async throws(LogError) -> Bool,
        _ body: (_ user: UserID, _ name: StateName, _ value: [UInt8]) throws(LogError) -> Void
    ) async throws(LogError) -> Bool {
        guard let spill = self.spill else {
            for user in work.table.users {
                let entries = work.table.entries(of: user).sorted { $0.name < $1.name }
                for (name, entry) in entries { try body(user, name, entry.text) }
            }
            return true
        }
        let partition = work.partition
        var page = try await Self.page(spill, partition, after: nil).get()
        var last: UserID?
        while let end = page.last {
            // The next page is read while this one is processed.
            async let next = Self.page(spill, partition, after: end)
            for entry in page {
                // Not before: some users have no entries left.
                if entry.user != last { work.recent.recordSpilled(entry.user) }
                try body(entry.user, entry.name, entry.value ?? [])
                last = entry.user
            }
            guard try await shouldContinue() else { return false }
            page = try await next.get()
        }
        return true
    }

    private static func page(
        _ spill: any StateSpill,
        _ partition: Int,
        after entry: SpilledEntry?
    ) async -> Result<[SpilledEntry], LogError> {
        await Result(awaiting: { () async throws(LogError) in
            try await Self.attempt { try await spill.page(partition: partition, after: entry, limit: 5_000) }
        })
    }

    /// The offset up to which the file is valid, by partition.
    func positions() async throws(LogError) -> [Int: KeptPartition] {
        guard let spill = self.spill else { return [:] }
        return try await Self.attempt { try await spill.positions() }
    }

    /// Drops the file's entries of a partition: they cannot be used.
    func drop(partition: Int) async throws(LogError) {
        guard let spill = self.spill else { return }
        try await Self.attempt { try await spill.drop(partition: partition) }
    }

    /// Leaves the file as it is.
    func close() async { await self.spill?.close() }

    /// Writes everything that the file lacks, for the next lane of the name.
    ///
    /// - Parameters:
    ///   - works: The lane's partitions.
    ///   - ends: Where the topic `state` ends in each; this lane has everything before.
    /// - Throws: ``LogError`` when the disk fails.
    func keep(_ works: some Collection<PartitionWork>, upTo ends: [Int: Int64]) async throws(LogError) {
        guard let spill = self.spill else { return }
        for work in works { work.unsaved?.makeDue() }
        while try await !self.save(works, limit: 10_000) {}
        let positions = Self.kept(works, upTo: ends)
        try await Self.attempt { try await spill.close(keeping: positions) }
    }

    /// An error of the disk ends the session: the next one starts from what the log holds.
    private static func attempt<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws(LogError) -> Value {
        do {
            return try await body()
        } catch {
            throw LogError(.other, "State could not be evicted or loaded: \(error)", isRetriable: true)
        }
    }
}
