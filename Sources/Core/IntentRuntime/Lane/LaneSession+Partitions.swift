internal import IntentEvents
internal import IntentKit
import Logging
internal import Telemetry

/// Assignment and revocation of partitions.
extension LaneSession {
    /// The state of a lane after an assignment.
    struct Assigned {
        /// The offsets at which to start reading.
        var starts: [TopicPartition: Int64?]
        /// The users with parked turns, whose state is in memory.
        var parked: [(work: PartitionWork, users: [UserID])]
    }

    /// Starts to work on partitions, with their current state.
    ///
    /// - Parameters:
    ///   - offsets: The partitions of the input, and their committed offsets.
    ///   - goesOn: Called now and then; says whether to continue.
    /// - Returns: The result; nil if it was stopped.
    /// - Throws: ``LogError``, including those that only an operator can resolve when the topics are no longer as the
    ///   group left them.
    func assign(
        _ offsets: [TopicPartition: Int64?],
        while goesOn: () async throws(LogError) -> Bool
    ) async throws(LogError) -> Assigned? {
        try self.checkNumbers(offsets.keys)
        try self.checkTopics(offsets.keys)
        var new: [Int: PartitionWork] = [:]
        for (topicPartition, offset) in offsets {
            let partition = topicPartition.partition
            let work =
                self.partitions[partition]
                ?? PartitionWork(
                    partition: partition,
                    settings: self.environment.settings,
                    isSaved: self.cache.spill != nil
                )
            if self.partitions.updateValue(work, forKey: partition) == nil { new[partition] = work }
            work.positions[topicPartition] = offset
        }
        let states = new.keys.map { self.environment.topicPartition(.state, $0) }
        // The end of the topic is queried afterwards, so that requests that arrive meanwhile are before it.
        let known = try await self.lastKnownRequests(in: new.keys)
        let ends = try await self.ends(ofState: states)
        var extents = try await TopicExtents.ask(self.log, states + offsets.keys + known.keys)
        extents.ends.merge(ends) { max($0, $1) }
        try self.checkLedger(known, extents)
        let restorer = StateRestorer(log: self.log, environment: self.environment, cache: self.cache)
        let suspects = self.suspects(in: new.keys)
        guard
            let restored = try await restorer.restore(new, extents, lookingFor: suspects, while: goesOn)
        else { return nil }
        if self.cache.spill != nil { self.checkpoint.recordRestored(at: self.environment.clock.uptime) }
        self.report(foreignHeads: restored.foreign)
        let starts = try await self.starts(offsets, extents, restorer)
        self.forget(self.done(suspects.subtracting(restored.waiting)))
        for (work, _) in restored.parked {
            for (user, name) in work.unreadable.prefix(100) {
                let key = StateKey(stage: self.environment.stage, user: user, name: name)
                self.logger.error(
                    "Cannot read a state entry: sending it to dead letters and ending its interaction",
                    metadata: [
                        TelemetryKey.stateKey: "\(String(decoding: key.bytes, as: UTF8.self))",
                        TelemetryKey.partition: "\(work.partition)",
                    ]
                )
            }
        }
        self.environment.metrics?.restored(after: restored.duration)
        self.logger.info(
            "Partitions assigned",
            metadata: [
                TelemetryKey.partitions: "\(self.partitions.keys.sorted())", TelemetryKey.stateRead: "\(restored.read)",
                TelemetryKey.seconds: "\(restored.duration / .seconds(1))",
            ]
        )
        return Assigned(starts: starts, parked: restored.parked)
    }

    /// The end offsets of partitions of the topic `state`, confirmed by their current leaders.
    ///
    /// A broker that was cut off may answer before it learns that other brokers lead its partitions. It does not know
    /// what was written since, so the state up to its end offset would be an old one. Only the current leader
    /// acknowledges a write. So the lane writes an entry that nobody reads, and reads the state up to it: everything
    /// that was committed before has a lower offset.
    private func ends(ofState topicPartitions: [TopicPartition]) async throws(LogError) -> [TopicPartition: Int64] {
        guard !topicPartitions.isEmpty else { return [:] }
        let key = StateKey(stage: nil, user: "", name: StateKey.end(of: self.environment.stage)).bytes
        let records = topicPartitions.map { OutgoingRecord(topicPartition: $0, key: key, value: nil) }
        let offsets = try await self.log.write(records)
        return Dictionary(uniqueKeysWithValues: zip(topicPartitions, offsets.map { $0 + 1 }))
    }

    /// Checks that the topics have no more partitions than they were created with (R6).
    private func checkNumbers(_ partitions: some Sequence<TopicPartition>) throws(LogError) {
        let count = self.environment.partitions
        guard let added = partitions.filter({ $0.partition >= count }).min() else { return }
        throw LogError.topicGrew(added, prefix: self.environment.prefix, partitions: count)
    }

    /// Checks that the group gives this lane the same partitions of each topic, as it does among intentd's lanes alone.
    ///
    /// With a part of a user's events the lane could not answer, or would take what it lacks for lost.
    private func checkTopics(_ partitions: some Sequence<TopicPartition>) throws(LogError) {
        let byTopic = Dictionary(grouping: partitions, by: \.topic).mapValues { $0.map(\.partition).sorted() }
        let shares = self.configuration.topics.map { byTopic[$0] ?? [] }
        guard Set(shares).count > 1 else { return }
        let words = zip(self.configuration.topics, shares).map { "\($1) of \($0)" }
        throw LogError(
            .groupShared,
            "the group \(self.configuration.group) assigned lane \(self.configuration.name) partitions "
                + "\(words.joined(separator: " but ")): the lane processes none of them",
            isRetriable: true
        )
    }

    /// The highest positions of requests that the ledger knows in partitions; none if there is no ledger.
    private func lastKnownRequests(
        in partitions: some Sequence<Int>
    ) async throws(LogError) -> [TopicPartition: Int64] {
        guard self.environment.stage == .handle, let ledger = self.environment.ledger else { return [:] }
        var last: [TopicPartition: Int64] = [:]
        for partition in partitions {
            do {
                let topicPartition = self.environment.topicPartition(.requests, partition)
                last[topicPartition] = try await ledger.lastRequest(inPartition: partition)
            } catch {
                throw LogError(.other, "Cannot read the ledger's last request: \(error)", isRetriable: true)
            }
        }
        return last
    }

    /// Checks that the ledger knows no requests that the topic does not reach.
    ///
    /// New requests would take their positions, and would be answered with their effects (R31).
    private func checkLedger(_ known: [TopicPartition: Int64], _ extents: TopicExtents) throws(LogError) {
        for (topicPartition, offset) in known.sorted(by: { $0.key < $1.key }) {
            guard let end = extents.ends[topicPartition], offset >= end else { continue }
            throw LogError.ledgerAhead(
                self.environment.ledger,
                "holds requests of \(topicPartition) up to offset \(offset), but the topic ends at \(end)",
                isRetriable: true
            )
        }
    }

    /// Runs parked turns that are not running: after a restart, or when it is time to try again.
    func startIdleTurns(of work: PartitionWork, _ users: [UserID], isRestored: Bool = false, _ mailbox: TurnMailbox) {
        for user in users {
            guard let parked = work.idleParkedTurn(user: user) else { continue }
            let token = mailbox.makeToken()
            let input = TurnInput(parked)
            let source = work.table.source(user: user)
            let address = TurnAddress(mailbox: mailbox, partition: work.partition, user: user, token: token)
            let environment = self.environment
            let isUnwritable = self.unwritable.contains(input.stored.position)
            let calls = environment.metrics?
                .calls(of: input.intentName(of: parked.interactionID, in: source.entry))
            calls?.park()
            let task = Task(executorPreference: environment.threads) {
                defer { calls?.leave() }
                let result = await Turn.run(
                    input,
                    in: environment,
                    source: source,
                    isUnwritable: isUnwritable,
                    notes: IdleTurnNotes(address)
                )
                address.deliver(result)
            }
            work.keep(.init(token: token, task: task), user: user)
            if isRestored, !(work.queues[user]?.candidates.isEmpty ?? true) { work.recordOvertaking(user: user) }
        }
    }

    /// Drops partitions that belong to another lane now.
    ///
    /// The file keeps their state: if they come back soon, only what came since is read.
    func drop(_ partitions: Set<Int>) {
        for partition in partitions {
            self.partitions.removeValue(forKey: partition)?.cancelAll()
            self.checkpoint.forget(partition: partition)
            self.uncounted.remove(partition)
            self.passed.remove(partition)
        }
    }

    /// How long a lane that leaves waits for the end offsets of the topic `state`.
    ///
    /// The last commit may take 12 of the 15 s for leaving (R67a).
    private static let departureLimit = Duration.seconds(3)

    /// Leaves in an orderly way: the next lane of this name finds the current state.
    func leave(_ lane: any TransactionalLane) async {
        do throws(LogError) {
            await self.recordPassed(lane)
            // A partition without offsets was not read, so no commit can prove its ownership.
            let mute = self.partitions.filter { $0.value.positions.isEmpty }.keys
            // Without transactions a lane that was thought dead may have written as well.
            guard self.partitions.count > mute.count, self.configuration.delivery == .exactlyOnce else {
                return await self.abandon()
            }
            self.drop(Set(mute))
            for work in self.partitions.values { work.cancelAll() }
            let ends = try await self.stateEnds(of: self.partitions.values, within: Self.departureLimit)
            // Kafka accepts the next commit only from the partitions' owner. So nobody else has written before these
            // ends.
            self.uncounted = Set(self.partitions.keys)
            try await self.commit([:], lane)
            try await self.cache.keep(self.partitions.values, upTo: ends)
            self.partitions = [:]
        } catch {
            self.logger.info(
                "Could not keep the state; the latest entries will be read again",
                metadata: [TelemetryKey.errorMessage: "\(error)"]
            )
            await self.abandon()
        }
    }

    /// Cancels what still runs: nothing of it will be committed.
    func abandon() async {
        for work in self.partitions.values { work.cancelAll() }
        self.partitions = [:]
        await self.cache.close()
    }
}
