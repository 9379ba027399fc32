internal import IntentEvents

/// Restores the state of assigned partitions, up to the current end of the topic (R6).
///
/// Only the lane's task uses it.
struct StateRestorer {
    let log: any EventLog
    let environment: StageEnvironment
    let cache: StateCache

    /// The result of a restore.
    struct Restored {
        /// The users with parked turns, whose state is in memory.
        var parked: [(work: PartitionWork, users: [UserID])] = []
        /// Suspect turns that are still waiting, parked or queued.
        var waiting: Set<RecordPosition> = []
        /// The partitions that hold a chain head copied from another one.
        var foreign: Set<Int> = []
        /// The number of entries that were read from the topic, including other stages'.
        var read: Int64 = 0
        var duration = Duration.zero
    }

    /// Restores the state; what the lane's file has already is not read again.
    ///
    /// - Parameters:
    ///   - works: The partitions, still empty.
    ///   - extents: Where the topic `state` begins and ends in each.
    ///   - suspects: Events to look for.
    ///   - shouldContinue: Called now and then; says whether to continue.
    /// - Returns: The result; nil if it was stopped.
    /// - Throws: ``LogError``.
    func restore(
        _ works: [Int: PartitionWork],
        _ extents: TopicExtents,
        lookingFor suspects: Set<RecordPosition>,
        while shouldContinue: () async throws(LogError) -> Bool
    ) async throws(LogError) -> Restored? {
        let began = self.environment.clock.uptime
        let topicPartitions = works.keys.map { self.environment.topicPartition(.state, $0) }
        let ends = extents.ends.filter { topicPartitions.contains($0.key) }
        var starts = extents.earliest.filter { topicPartitions.contains($0.key) }
        let kept = try await self.cache.positions()
        for topicPartition in topicPartitions {
            // If a topic ends before the file's offset, or begins after it, it is another topic.
            if let kept = kept[topicPartition.partition], let start = starts[topicPartition],
                let end = ends[topicPartition], start...end ~= kept.position
            {
                starts[topicPartition] = kept.position
                works[topicPartition.partition]?.chain = kept.chain
                works[topicPartition.partition]?.read = kept.read
            } else {
                try await self.cache.drop(partition: topicPartition.partition)
            }
        }
        let formats = self.environment.settings.formats
        // As many as a lane may change before a checkpoint.
        var gathered = GatheredEntries(limit: self.environment.settings.stateLag)
        var restored = Restored()
        let isRead = try await StateReader.read(
            from: starts,
            to: ends,
            of: self.log,
            stage: self.environment.stage,
            formats: formats,
            clock: self.environment.clock
        ) { read throws(LogError) in
            for (partition, key, value, offsets) in read {
                if key.isChain {
                    guard offsets?.partition ?? partition == partition else {
                        restored.foreign.insert(partition)
                        continue
                    }
                    works[partition]?.chain = value.map { String(decoding: $0, as: UTF8.self) } ?? ""
                    works[partition]?.read = offsets
                } else {
                    gathered.append(SpilledEntry(partition: partition, user: key.user, name: key.name, value: value))
                }
            }
            while let (partition, entries) = gathered.popSurplus() {
                if let work = works[partition] { try await self.cache.restore(entries, of: work) }
            }
            return try await shouldContinue()
        }
        guard isRead else { return nil }
        while let (partition, entries) = gathered.popLargest() {
            if let work = works[partition] { try await self.cache.restore(entries, of: work) }
            guard try await shouldContinue() else { return nil }
        }
        // Records before those ends do not change any more, whoever owns the partitions, and are in the file.
        try await self.cache.record(
            Dictionary(uniqueKeysWithValues: ends.map { ($0.key.partition, $0.value) }),
            of: works.values,
            age: self.environment.clock.uptime - began
        )
        for work in works.values {
            var parked: [UserID] = []
            let isSeen = try await self.cache.forEachRestored(of: work, while: shouldContinue) {
                (user, name, value) throws(LogError) in
                let waiting = work.recordRestored(name, user: user, value)
                if name == StateName.parked { parked.append(user) }
                guard let waiting else { return }
                try self.environment.settings.formats.check(
                    waiting,
                    in: StateKey(stage: self.environment.stage, user: user, name: name)
                )
                if suspects.contains(waiting.position) { restored.waiting.insert(waiting.position) }
            }
            guard isSeen else { return nil }
            work.finishRestoring()
            try await self.cache.load(parked, of: work, at: self.environment.clock.now)
            work.recordResting()
            restored.parked.append((work, parked))
        }
        restored.read = ends.reduce(0) { $0 + max(0, $1.value - (starts[$1.key] ?? 0)) }
        restored.duration = self.environment.clock.uptime - began
        return restored
    }

    /// Which of these events wait in the state of restored partitions, parked or queued.
    func waiting(
        _ events: Set<RecordPosition>,
        in works: some Sequence<PartitionWork>
    ) async throws(LogError) -> Set<RecordPosition> {
        var waiting: Set<RecordPosition> = []
        func always() async throws(LogError) -> Bool { true }
        for work in works {
            _ = try await self.cache.forEachRestored(of: work, while: always) { _, name, value in
                guard let position = StoredRecord(waitingIn: name, value)?.position else { return }
                if events.contains(position) { waiting.insert(position) }
            }
        }
        return waiting
    }
}
