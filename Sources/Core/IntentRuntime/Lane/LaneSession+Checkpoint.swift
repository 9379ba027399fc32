internal import IntentEvents
import Logging
internal import Telemetry

/// The checkpoints of the lane's file.
extension LaneSession {
    /// Whether enough has changed for the next commit to begin a checkpoint.
    var isCheckpointDue: Bool {
        let changes = self.partitions.values.reduce(0) { $0 + ($1.unsaved?.changes ?? 0) }
        return self.checkpoint.isDue(changes: changes, at: self.environment.clock.uptime)
    }

    /// Looks up where the topic `state` ends: the next commit proves that no other lane has written up to there.
    func beginCheckpoint() async {
        let now = self.environment.clock.uptime
        // Without transactions a lane that was thought dead may still write. Changes are written to the file all the
        // same, so that their list does not grow forever; but the file names no offset.
        let isAlone = self.configuration.delivery == .exactlyOnce
        // A partition without offsets was not read, so no commit can prove its ownership.
        let works = isAlone ? self.partitions.values.filter { !$0.positions.isEmpty } : []
        do throws(LogError) {
            let ends = try await self.stateEnds(of: works)
            self.uncounted.formUnion(works.map(\.partition))
            self.checkpoint.begin(ends: ends, at: now)
        } catch {
            self.logger.info(
                "End offset of the state topic unknown; retrying",
                metadata: [TelemetryKey.errorMessage: "\(error)"]
            )
            self.checkpoint.postpone(at: now)
        }
    }

    /// Where the topic `state` ends in these partitions.
    func stateEnds(of works: some Collection<PartitionWork>) async throws(LogError) -> [Int: Int64] {
        guard !works.isEmpty else { return [:] }
        let ends = try await self.log.offsets(self.statePartitions(of: works), at: .end)
        return Dictionary(uniqueKeysWithValues: ends.map { ($0.key.partition, $0.value) })
    }

    /// Where the topic `state` ends in these partitions; throws if the broker does not respond within the limit.
    func stateEnds(
        of works: some Collection<PartitionWork>,
        within limit: Duration
    ) async throws(LogError) -> [Int: Int64] {
        let (log, clock, partitions) = (self.log, self.environment.clock, self.statePartitions(of: works))
        let result = await withTaskGroup(of: Result<[TopicPartition: Int64], LogError>.self) { group in
            group.addTask {
                await Result(awaiting: { () async throws(LogError) in try await log.offsets(partitions, at: .end) })
            }
            group.addTask {
                try? await clock.sleep(for: limit)
                return .failure(LogError(.unavailable, "no response within \(limit)", isRetriable: true))
            }
            defer { group.cancelAll() }
            // The group has two tasks.
            return await group.next()!
        }
        let ends = try result.get()
        return Dictionary(uniqueKeysWithValues: ends.map { ($0.key.partition, $0.value) })
    }

    private func statePartitions(of works: some Collection<PartitionWork>) -> [TopicPartition] {
        works.map { self.environment.topicPartition(.state, $0.partition) }
    }

    /// Writes a part of what is due; with the last part the file names the end of the topic at the checkpoint's start.
    func save() async throws(LogError) {
        guard self.checkpoint.isWriting else { return }
        let works = self.partitions.values
        let isLast = try await self.cache.save(works, limit: self.checkpoint.slice)
        guard isLast else { return }
        let (ends, age) = self.checkpoint.finish(at: self.environment.clock.uptime)
        try await self.cache.record(ends, of: works, age: age)
    }
}
