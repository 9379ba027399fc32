internal import IntentEvents
import Logging
internal import Telemetry

/// A batch on its way from a poll to its commit: load, run, assemble, commit, apply.
extension LaneSession {
    struct Run {
        var work: PartitionWork
        var run: UserRun
        var token: Int
    }

    /// A batch between a poll and its commit.
    private struct Batch {
        var runs: [Run]
        /// What is written, by partition: first the events of due deadlines.
        var outputs: [Int: PartitionBatch]
        /// The state entries that are no longer needed, which this batch deletes.
        var expired: [(PartitionWork, [UserID: [StateName]])] = []
        let now: Timestamp

        var isEmpty: Bool { self.runs.isEmpty && self.outputs.isEmpty }
    }

    /// Runs a batch and commits it: outputs, journal, state, dead letters and offsets in one transaction (R2).
    func process(_ records: [LogRecord], _ mailbox: TurnMailbox, _ lane: any TransactionalLane) async throws(LogError) {
        var batch = try await self.load(records, mailbox)
        guard !batch.isEmpty else {
            // Signals to other stages alone do not need a transaction while there is more to read. Their offsets go
            // with the next batch, or alone once there is nothing else to do.
            if records.isEmpty { try await self.commitOffsets(lane) }
            return
        }
        await BatchExecution(batch.runs.map(\.run), in: self.environment).execute()
        let outcomes = batch.runs.map { ($0, $0.run.close()) }
        do throws(LogError) {
            let assemblers = try await self.assemble(&batch)
            do throws(LogError) {
                try await self.commit(assemblers, lane)
            } catch {
                if error.code == .recordTooLarge { self.recordUnwritable(assemblers, error) }
                throw error
            }
        } catch {
            // Nothing would receive their results, and a step would wait forever for its commit.
            for (_, outcome) in outcomes { outcome.parked.task?.cancel() }
            throw error
        }
        self.apply(batch, outcomes, mailbox)
    }

    /// Decodes and sorts the records, loads what their turns need, and writes the events of due deadlines.
    private func load(_ records: [LogRecord], _ mailbox: TurnMailbox) async throws(LogError) -> Batch {
        var outputs: [Int: PartitionBatch] = [:]
        let runs = await self.runs(of: records, mailbox, in: &outputs)
        var batch = Batch(runs: runs, outputs: outputs, now: self.environment.clock.now)
        // Without eviction, everybody is in memory.
        let partitions = self.cache.spill == nil ? [:] : Dictionary(grouping: runs, by: \.work.partition)
        for (work, runs) in partitions.values.map({ ($0[0].work, $0) }) {
            try await self.cache.load(runs.map(\.run.user), of: work, at: batch.now)
        }
        let timers = try await self.dueTimers(at: batch.now)
        for (index, record) in records.enumerated() {
            // The records of a partition are adjacent: the last one gives its position.
            if index + 1 < records.count, records[index + 1].topicPartition == record.topicPartition { continue }
            guard let work = self.partitions[record.topicPartition.partition] else { continue }
            work.positions[record.topicPartition] = record.offset + 1
            self.uncounted.insert(work.partition)
        }
        for (work, due) in timers {
            self.output(of: work, in: &batch.outputs)
                .add { assembler in
                    for (kind, draft, ordinal) in due {
                        assembler.append(draft, of: kind, id: self.timerID(draft, ordinal, work))
                    }
                }
        }
        return batch
    }

    /// Adds what the lane itself writes after the turns, and gives each partition's records their order, ids and digests.
    private func assemble(_ batch: inout Batch) async throws(LogError) -> [Int: TurnAssembler] {
        for (partition, output) in batch.outputs {
            guard let work = self.partitions[partition] else { continue }
            let names = try await self.expired(in: work, at: batch.now)
            output.add { assembler in
                for (user, names) in names.sorted(by: { $0.key < $1.key }) {
                    for name in names { assembler.appendState(user: user, name, nil) }
                }
                assembler.appendHead(self.read(of: work))
            }
            batch.expired.append((work, names))
        }
        try self.environment.foreignEntries.check(self.environment.ledger, prefix: self.environment.prefix)
        if self.isCheckpointDue { await self.beginCheckpoint() }
        return batch.outputs.mapValues { $0.finish() }
    }

    /// Applies what was committed to what the lane holds in memory.
    private func apply(_ batch: Batch, _ outcomes: [(Run, UserRun.Outcome)], _ mailbox: TurnMailbox) {
        for (work, names) in batch.expired {
            for (user, names) in names {
                for name in names { work.apply(name, user: user, nil) }
                if !work.table.contains(user) { work.recent.forget(user) }
            }
        }
        self.recordCommitted(outcomes)
        for (run, outcome) in outcomes { self.apply(run, outcome, mailbox) }
    }

    /// Commits offsets alone, if any are to be committed by now.
    private func commitOffsets(_ lane: any TransactionalLane) async throws(LogError) {
        await self.recordPassed(lane)
        let isAged = self.checkpoint.isAged(at: self.environment.clock.uptime)
        if isAged { await self.beginCheckpoint() }
        if !self.uncounted.isEmpty || self.mustCountPassed { try await self.commit([:], lane) }
    }

    /// The events of due deadlines that are still current.
    private func dueTimers(
        at now: Timestamp
    ) async throws(LogError) -> [(PartitionWork, [(kind: TimerKind, draft: EventDraft, ordinal: String)])] {
        var due: [(PartitionWork, [(kind: TimerKind, draft: EventDraft, ordinal: String)])] = []
        for work in self.partitions.values {
            let timers = work.popDueTimers(at: now, limit: 1_000)
            guard !timers.isEmpty else { continue }
            try await self.cache.load(Set(timers.map(\.user)), of: work, at: now)
            let events = timers.compactMap { timer in
                work.isHeld(timer, in: self.environment.registry)
                    ? nil
                    : work.event(of: timer, stage: self.environment.stage, now: now)
                        .map { (kind: timer.kind, draft: $0.draft, ordinal: $0.ordinal) }
            }
            if !events.isEmpty { due.append((work, events)) }
        }
        return due
    }

    /// The names of entries that are no longer needed, by user.
    private func expired(in work: PartitionWork, at now: Timestamp) async throws(LogError) -> [UserID: [StateName]] {
        let users = work.usersWithExpired(at: now, limit: 1_000)
        try await self.cache.load(users, of: work, at: now)
        var names: [UserID: [StateName]] = [:]
        for user in users {
            let expired = work.expired(of: user, at: now)
            if !expired.isEmpty { names[user] = expired }
        }
        return names
    }

    /// Records that reading has passed markers and aborted records, once all earlier records are processed.
    ///
    /// Otherwise the group's offset would stay before them, and once retention has removed them as well, this would
    /// look like a loss of events.
    func recordPassed(_ lane: any TransactionalLane) async {
        for (topicPartition, position) in await lane.positions() {
            guard let work = self.partitions[topicPartition.partition],
                position > work.positions[topicPartition] ?? 0
            else { continue }
            work.positions[topicPartition] = position
            self.passed.insert(topicPartition.partition)
            self.passedSince = self.passedSince ?? self.environment.clock.uptime
        }
    }

    /// Whether the passed offsets need a transaction of their own: usually they go with the next batch, at no cost.
    private var mustCountPassed: Bool {
        guard !self.passed.isEmpty, let since = self.passedSince else { return false }
        return self.environment.clock.uptime - since >= .seconds(60)
    }

    /// Commits the batch.
    ///
    /// What the lane holds in memory changes only afterwards.
    func commit(_ assemblers: [Int: TurnAssembler], _ lane: any TransactionalLane) async throws(LogError) {
        var offsets: [TopicPartition: Int64] = [:]
        var read: [Int: ReadOffsets?] = [:]
        var outgoing: [OutgoingRecord] = []
        for partition in self.uncounted.union(self.passed).union(assemblers.keys).sorted() {
            if let work = self.partitions[partition] {
                offsets.merge(work.offsets) { $1 }
                read[partition] = self.read(of: work)
            }
            if let assembler = assemblers[partition] {
                assembler.add(to: &outgoing)
            } else if let work = self.partitions[partition] {
                // Offsets alone: the state names them all the same.
                var head = TurnAssembler(environment: self.environment, partition: partition, chain: work.chain)
                head.appendHead(self.read(of: work))
                head.add(to: &outgoing)
            }
        }
        let began = self.environment.clock.uptime
        do throws(LogError) {
            try await lane.commit(LaneCommit(records: outgoing, offsets: offsets))
        } catch {
            self.environment.metrics?.aborted()
            throw error
        }
        let duration = self.environment.clock.uptime - began
        self.environment.metrics?
            .committed(
                records: outgoing,
                after: duration,
                at: began + duration,
                assemblers.values.lazy.map(\.tally)
            )
        for spans in assemblers.values.lazy.flatMap(\.spans) {
            spans.commit(from: began, to: began + duration, records: outgoing.count)
        }
        for assembler in assemblers.values { self.health.recordDeadLetters(assembler.tally.deadLetters) }
        self.committedBatches += 1
        self.uncounted = []
        self.passed = []
        self.passedSince = nil
        for (partition, assembler) in assemblers { self.partitions[partition]?.chain = assembler.chain }
        for (partition, offsets) in read { self.partitions[partition]?.read = offsets }
        if self.checkpoint.recordCommitted() {
            for work in self.partitions.values { work.unsaved?.makeDue() }
        }
    }

    /// The offsets that the next commit includes, for the state; nil where they are not committed together with it.
    private func read(of work: PartitionWork) -> ReadOffsets? {
        guard self.configuration.delivery == .exactlyOnce else { return nil }
        let offsets = work.offsets
        return ReadOffsets(
            partition: work.partition,
            input: offsets[self.environment.topicPartition(self.environment.stage.inputTopic, work.partition)],
            signals: offsets[self.environment.topicPartition(.signals, work.partition)]
        )
    }

    /// Records the event whose turn wrote a record that a topic does not accept.
    ///
    /// This is the last defence behind ``RecordLimits``, for topics that accept less than they were configured for.
    private func recordUnwritable(_ assemblers: [Int: TurnAssembler], _ error: LogError) {
        guard let event = TurnAssembler.eventOfLargestRecord(assemblers.values),
            self.unwritable.insert(event).inserted
        else { return }
        self.logger.error(
            "A topic rejected a turn's record: sending the turn's event to dead letters",
            metadata: [TelemetryKey.event: "\(event)", TelemetryKey.errorMessage: "\(error)"]
        )
    }

    /// Applies the changes of a user's run after the commit.
    private func apply(_ run: Run, _ outcome: UserRun.Outcome, _ mailbox: TurnMailbox) {
        let user = run.run.user
        run.work.setQueue(outcome.queue, user: user)
        for (name, value) in outcome.writes { run.work.apply(name, user: user, value) }
        for name in outcome.earlyTimers { run.work.rearm(name, user: user) }
        // A user without entries needs no room in memory.
        if outcome.writes.values.allSatisfy({ $0 == nil }), !run.work.table.contains(user) {
            run.work.recent.forget(user)
        }
        if outcome.endedParked { run.work.drop(user: user) }
        if let time = outcome.overtakesAgainAt { self.remind(of: run.work.partition, user, at: time, mailbox) }
        switch outcome.parked {
        case .nothing: break
        case .running(let task):
            run.work.keep(.init(token: run.token, task: task), user: user)
        case .withoutResult:
            // The interaction's ledger is closed: its end is in flight, or its time limit will come. A second run would
            // have the same result.
            run.work.keep(.init(token: run.token, task: nil), user: user)
        case .idle: self.startIdleTurns(of: run.work, [user], mailbox)
        }
        for commit in outcome.commits { commit.end(.committed) }
        if outcome.continues {
            run.work.recordOvertaking(user: user)
            mailbox.wakeLane()
        }
    }

    /// Retries an event that overtakes the user's parked turn; a restart retries it anyway.
    private func remind(of partition: Int, _ user: UserID, at time: Timestamp, _ mailbox: TurnMailbox) {
        let clock = self.environment.clock
        let pause = max(0, time - clock.now)
        Task {
            guard (try? await clock.sleep(for: .milliseconds(pause))) != nil else { return }
            mailbox.remind(.init(partition: partition, user: user))
        }
    }

    /// The work for each user, in arrival order; notes and ends of parked turns first.
    private func runs(
        of records: [LogRecord],
        _ mailbox: TurnMailbox,
        in outputs: inout [Int: PartitionBatch]
    ) async -> [Run] {
        var queues: [UserQueue] = []
        var indices = [RunKey: Int](minimumCapacity: records.count)
        func index(of key: RunKey) -> Int {
            if let index = indices[key] { return index }
            indices[key] = queues.count
            queues.append(UserQueue(key: key))
            return queues.count - 1
        }
        func add(_ item: UserRun.Item, _ key: RunKey) { queues[index(of: key)].items.append(item) }
        for delivery in mailbox.drain() {
            guard let work = self.partitions[delivery.partition],
                work.running[delivery.user]?.token == delivery.token
            else {
                delivery.commit?.end(.dropped)
                continue
            }
            let key = RunKey(partition: delivery.partition, user: delivery.user)
            if let note = delivery.note { add(.note(note, delivery.commit), key) }
            if let result = delivery.result { add(.continuation(result), key) }
        }
        let (crashes, stage) = (self.environment.crashes, self.environment.stage)
        let slot = records.isEmpty ? nil : crashes?.takeSlot()
        defer { crashes?.returnSlot(slot) }
        for record in records {
            let partition = record.topicPartition.partition
            guard self.partitions[partition] != nil, let topic = self.environment.topic(of: record) else { continue }
            let stored = StoredRecord(record, topic: topic)
            let read = await crashes?.read(stored, of: stage, in: slot) ?? TurnInput(stored)
            let input = read.namingUser(in: self.environment)
            add(.event(input), RunKey(partition: partition, user: input.userID))
        }
        for reminder in mailbox.drainReminders() {
            self.partitions[reminder.partition]?.recordOvertaking(user: reminder.user)
        }
        for work in self.partitions.values {
            for user in work.drainOvertaken() {
                queues[index(of: RunKey(partition: work.partition, user: user))].isOvertaken = true
            }
        }
        return queues.compactMap { queue in
            let key = queue.key
            guard let work = self.partitions[key.partition] else { return nil }
            let token = mailbox.makeToken()
            let run = UserRun(
                user: key.user,
                items: queue.items,
                environment: self.environment,
                unwritable: self.unwritable,
                table: work.table,
                queue: work.queues[key.user] ?? WaitingQueue(),
                looksInQueue: queue.isOvertaken,
                address: TurnAddress(mailbox: mailbox, partition: key.partition, user: key.user, token: token),
                batch: self.output(of: work, in: &outputs)
            )
            return Run(work: work, run: run, token: token)
        }
    }

    /// The batch's output in a partition; made for the first user with any.
    private func output(of work: PartitionWork, in outputs: inout [Int: PartitionBatch]) -> PartitionBatch {
        if let output = outputs[work.partition] { return output }
        let output = PartitionBatch(environment: self.environment, partition: work.partition, chain: work.chain)
        outputs[work.partition] = output
        return output
    }

    private struct RunKey: Hashable {
        var partition: Int
        var user: UserID
    }

    /// The work for one user.
    private struct UserQueue {
        var key: RunKey
        var items: ShortList<UserRun.Item> = []
        /// Whether an event in the user's queue overtakes the parked turn.
        var isOvertaken = false
    }

    private func timerID(_ draft: EventDraft, _ ordinal: String, _ work: PartitionWork) -> String {
        self.environment.identifiers(of: RecordPosition(.signals, work.partition, 0))
            .id(generation: 0, ordinal: "timer|\(draft.userID)|\(ordinal)")
    }
}
