internal import IntentEvents
import Logging
internal import Telemetry

/// How the lane's file keeps up with what is committed.
extension LaneSession {
    /// Whether enough has changed for the next commit to begin a checkpoint.
    var isCheckpointDue: Bool {
        let changes = self.partitions.values.reduce(0) { $0 + ($1.unsaved?.changes ?? 0) }
        return self.checkpoint.isDue(changes: changes, at: self.environment.clock.uptime)
    }

    /// Looks where the topic `state` ends: the next commit proves that this lane alone has written up to there.
    func beginCheckpoint() async {
        let now = self.environment.clock.uptime
        // Without transactions a lane that was thought gone may write as well. What has changed is written all the same, so
        // that the list of it does not grow for ever; but nothing can be said about the file.
        let isAlone = self.configuration.delivery == .exactlyOnce
        // A partition without offsets was not read, so no commit can prove who owns it.
        let works = isAlone ? self.partitions.values.filter { !$0.positions.isEmpty } : []
        do throws(LogError) {
            let ends = try await self.stateEnds(of: works)
            self.uncounted.formUnion(works.map(\.partition))
            self.checkpoint.begin(ends: ends, at: now)
        } catch {
            self.logger.info(
                "It cannot be seen where the state ends; it is tried again.",
                metadata: [TelemetryKey.errorMessage: "\(error)"]
            )
            self.checkpoint.postpone(at: now)
        }
    }

    /// Where the topic `state` ends in these partitions.
    func stateEnds(of works: some Collection<PartitionWork>) async throws(LogError) -> [Int: Int64] {
        guard !works.isEmpty else { return [:] }
        let ends = try await self.log.offsets(
            works.map { self.environment.topicPartition(.state, $0.partition) },
            at: .end
        )
        return Dictionary(uniqueKeysWithValues: ends.map { ($0.key.partition, $0.value) })
    }

    /// Writes a part of what is due; with the last one the file is true up to where the topic ended when it began.
    func save() async throws(LogError) {
        guard self.checkpoint.isWriting else { return }
        let works = self.partitions.values
        let isLast = try await self.cache.save(works, limit: self.checkpoint.slice)
        guard isLast else { return }
        let (ends, age) = self.checkpoint.finish(at: self.environment.clock.uptime)
        try await self.cache.note(ends, of: works, age: age)
    }
}
