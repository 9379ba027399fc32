internal import IntentEvents
internal import IntentKit
import Logging

/// How partitions come and go.
extension LaneSession {
    /// Takes partitions on, with the state that they have now.
    ///
    /// - Parameters:
    ///   - offsets: The partitions of the input, and how far they were worked on.
    ///   - goesOn: Asked now and then whether to go on.
    /// - Returns: The users with parked turns, whose state is in memory; nil if it was told not to go on.
    /// - Throws: ``LogError``.
    func takeOn(
        _ offsets: [TopicPartition: Int64?],
        while goesOn: () async throws(LogError) -> Bool
    ) async throws(LogError) -> [(work: PartitionWork, users: [UserID])]? {
        var new: [Int: PartitionWork] = [:]
        for (topicPartition, offset) in offsets {
            let partition = topicPartition.partition
            let work =
                self.partitions[partition] ?? PartitionWork(partition: partition, settings: self.environment.settings)
            if self.partitions.updateValue(work, forKey: partition) == nil { new[partition] = work }
            work.positions[topicPartition] = offset
        }
        let restorer = StateRestorer(log: self.log, environment: self.environment, residency: self.residency)
        // Once: from now on it is in use.
        let kept = self.kept
        for partition in new.keys { self.kept[partition] = nil }
        guard let restored = try await restorer.restore(new, kept: kept, while: goesOn) else { return nil }
        for (work, _) in restored {
            for (user, name) in work.unreadable.prefix(100) {
                let key = StateKey(stage: self.environment.stage, user: user, name: name)
                self.logger.error(
                    "A state entry cannot be read: it goes to dead letters, and its interaction ends.",
                    metadata: [
                        "state.key": "\(String(decoding: key.bytes, as: UTF8.self))", "partition": "\(work.partition)",
                    ]
                )
            }
        }
        self.logger.info("Partitions assigned.", metadata: [LogKey.partitions: "\(self.partitions.keys.sorted())"])
        return restored
    }

    /// Runs parked turns that do not run: after a restart, or when it is time to try again.
    func startIdleTurns(
        of work: PartitionWork,
        _ users: [UserID],
        isRestored: Bool = false,
        _ mailbox: TurnMailbox
    ) {
        for user in users {
            guard let parked = work.idleParkedTurn(user: user) else { continue }
            let token = mailbox.makeToken()
            let input = TurnInput(parked.event, attempt: parked.attempt, firstTriedAt: parked.startedAt)
            let source = work.table.source(user: user)
            let partition = work.partition
            let runner = self.runner
            let task = Task {
                let result = await runner.run(input, source: source)
                mailbox.deliver(.init(partition: partition, user: user, token: token, result: result))
            }
            work.keep(.init(token: token, task: task), user: user)
            if isRestored, !work.table.names(prefix: StateName.queue, user: user).isEmpty {
                work.noteOvertaking(user: user)
            }
        }
    }

    /// Forgets partitions that are somebody else's now.
    func drop(_ partitions: Set<Int>) async throws(LogError) {
        for partition in partitions {
            self.partitions.removeValue(forKey: partition)?.cancelAll()
            self.uncounted.remove(partition)
            try await self.residency.drop(partition: partition)
        }
    }

    /// Leaves in order: the next lane of this name finds the state as it is now.
    func leave(_ lane: any TransactionalLane) async {
        do throws(LogError) {
            // Without transactions a lane that was thought gone may have written as well.
            guard !self.partitions.isEmpty, self.configuration.delivery == .exactlyOnce else {
                return await self.abandon()
            }
            for partition in self.kept.keys { try await self.residency.drop(partition: partition) }
            for work in self.partitions.values { work.cancelAll() }
            let places = self.partitions.keys.map { self.environment.topicPartition(.state, $0) }
            let ends = try await self.log.offsets(places, at: .end)
            // Whoever may commit after that was alone until then: what stands before those ends is here.
            self.uncounted = Set(self.partitions.keys)
            try await self.commit([:], lane)
            try await self.residency.keep(
                self.partitions.values,
                upTo: Dictionary(uniqueKeysWithValues: ends.map { ($0.key.partition, $0.value) })
            )
            self.partitions = [:]
        } catch {
            self.logger.info("The state is not kept; it will be read again.", metadata: [LogKey.error: "\(error)"])
            await self.abandon()
        }
    }

    /// Cancels what still runs: nothing of it will be committed.
    func abandon() async {
        for work in self.partitions.values { work.cancelAll() }
        self.partitions = [:]
        await self.residency.close()
    }
}
