internal import IntentEvents
internal import IntentKit
import Synchronization

/// One user's events of a batch, strictly in order (R4), with their results.
///
/// A worker task of the batch drives it. The batch may park the running turn (R5). Then that task continues with this
/// turn alone and delivers its result to the mailbox; all later events wait in the user's queue.
final class UserRun: StateSource, NoteReceiver {
    /// An item of work for the user.
    enum Item {
        case event(TurnInput)
        /// The result of a parked turn.
        case continuation(TurnResult)
        /// What a parked turn says while it is running (R74).
        case note(TurnNote, NoteCommit?)
    }

    /// A turn's result, and the number of the continuation.
    struct Entry {
        var result: TurnResult
        var generation: Int
    }

    struct State {
        var phase = RunPhase.between
        var items: ShortList<Item>
        var overlay: StateWrites = [:]
        var entries: ShortList<Entry> = []
        /// The queue behind the parked turn, and what this batch does with it.
        var queue: WaitingQueue
        var queuePhase: QueuePhase
        /// The number of dequeued turns in this batch.
        var dequeued = 0
        /// When an event that overtakes the parked turn is retried.
        var overtakesAgainAt: Timestamp?
        /// Whether the turn that ran for the user's parked entry has ended or was cancelled.
        var endedParked = false
        /// The event whose turn had no result, because another turn has ended its interaction.
        var withoutResult: RecordPosition?
        /// Counts the parked turn among the calls of its handler; nil where nothing is measured.
        var parkedCalls: HandlerCalls?
        /// The notes of the running turn that go to the lane when it is parked.
        var early: [(TurnNote, NoteCommit)] = []
        /// The notes for whose commit a handler waits.
        var commits: [NoteCommit] = []
    }

    let user: UserID
    let environment: StageEnvironment
    /// Events that go to dead letters because a topic did not accept what their turns wrote.
    private let unwritable: Set<RecordPosition>
    let table: StateTable
    /// Where the result and the notes of a turn go that was parked meanwhile; nil for nowhere.
    private let address: TurnAddress?
    private let batch: PartitionBatch
    private let state: Mutex<State>

    /// Makes a run of one user's items.
    ///
    /// - Parameters:
    ///   - user: The user's id.
    ///   - items: The work, in order.
    ///   - environment: What all turns of the stage share.
    ///   - unwritable: Events that go to dead letters because a topic did not accept what their turns wrote.
    ///   - table: The state before the batch.
    ///   - queue: The queue behind the user's parked turn before the batch.
    ///   - looksInQueue: Whether the queue may have an event that overtakes the parked turn.
    ///   - address: Where the result and the notes of a turn go that was parked meanwhile; nil for nowhere.
    ///   - batch: Receives what the turns write.
    init(
        user: UserID,
        items: ShortList<Item>,
        environment: StageEnvironment,
        unwritable: Set<RecordPosition> = [],
        table: StateTable,
        queue: WaitingQueue = WaitingQueue(),
        looksInQueue: Bool,
        address: TurnAddress? = nil,
        batch: PartitionBatch
    ) {
        self.user = user
        self.environment = environment
        self.unwritable = unwritable
        self.table = table
        self.address = address
        self.batch = batch
        self.state = Mutex(State(items: items, queue: queue, queuePhase: looksInQueue ? .searched : .quiet))
    }

    // MARK: State for turns

    func entry(_ name: StateName) -> StateEntry? { self.state.withLock { self.entry(name, $0.overlay) } }

    var pauses: [Pause] { self.table.pauses }

    func keep(_ entry: StateEntry, _ name: StateName) {
        // Entries written in this batch have a parsed form, or one that cannot be kept.
        self.table.keep(entry, name, user: self.user)
    }

    func names(prefix: StateFamily) -> [StateName] { self.state.withLock { self.names(prefix: prefix, $0.overlay) } }

    /// An entry, including this batch's writes.
    ///
    /// Only the overlay is passed, since a state is large to copy.
    func entry(_ name: StateName, _ overlay: StateWrites) -> StateEntry? {
        if let written = overlay[name] { return written }
        return self.table.entry(name, user: self.user)
    }

    /// The parked turn, including this batch's writes.
    func parkedTurn(_ overlay: StateWrites) -> ParkedTurn? {
        if let written = overlay[StateName.parked] { return written?.form(ParkedTurn.self) }
        return self.table.form(StateName.parked, user: self.user, ParkedTurn.self)
    }

    // MARK: Driving

    /// Whether a topic did not accept what the event's turn wrote.
    func isUnwritable(_ input: TurnInput) -> Bool {
        !self.unwritable.isEmpty && self.unwritable.contains(input.stored.position)
    }

    /// Whether nothing of the event can wait in state: it becomes a dead letter at once.
    func isDeadLetteredAtOnce(_ input: TurnInput) -> Bool { !input.isDecoded || self.isUnwritable(input) }

    /// Runs the items.
    ///
    /// - Parameters:
    ///   - worker: The worker task.
    ///   - slot: Where its turns are marked; nil if each has to be admitted, or no marks are made.
    /// - Returns: Whether all is done; if not, the running turn was parked meanwhile, and has now ended.
    func execute(on worker: BatchExecution.WorkerTask, slot: CrashWatch.Slot? = nil) async -> Bool {
        while let input = self.nextTurn(on: worker) {
            let result = await Turn.run(
                input,
                in: self.environment,
                source: self,
                isUnwritable: self.isUnwritable(input),
                slot: slot,
                notes: self
            )
            guard self.finish(result) else { return false }
        }
        self.close()
        return true
    }

    /// The next turn that has to be run.
    ///
    /// Items that need no turn are handled on the way.
    private func nextTurn(on worker: BatchExecution.WorkerTask) -> TurnInput? {
        self.state.withLock { state in
            func begin(_ input: TurnInput, again: ParkedTurn? = nil, isParkable: Bool) -> TurnInput {
                let now = self.environment.clock.uptime
                let isParkable = isParkable && !self.isDeadLetteredAtOnce(input)
                state.phase.begin(
                    .init(input: input, again: again, since: now, isParkable: isParkable, worker: worker)
                )
                return input
            }
            while true {
                var parked = self.entry(StateName.parked, state.overlay)
                if parked == nil, !state.queue.isEmpty, state.queuePhase != .resting {
                    if let next = self.dequeue(&state) { return begin(next.input, again: next.again, isParkable: true) }
                    if state.queuePhase == .deferred { parked = self.entry(StateName.parked, state.overlay) }
                }
                if parked != nil, let next = self.dequeueOvertaking(&state) {
                    return begin(next.input, again: next.again, isParkable: false)
                }
                guard let item = state.items.popFirst() else { return nil }
                switch item {
                case .continuation(let result):
                    if let spans = result.spans, let turn = self.parkedTurn(state.overlay) {
                        spans.record(parkedAt: turn.startedAt)
                    }
                    state.endedParked = true
                    self.apply(result, &state)
                case .note(let note, let commit): self.record(note, commit, &state)
                case .event(let input):
                    if state.queuePhase.holdsEverything || parked != nil && !self.overtakes(input, state) {
                        self.enqueue(input, &state)
                        continue
                    }
                    // An event that only has to be forwarded home is never slow, and nothing of it stays here (R1). The
                    // same holds for a record that is no event, and there may be no room for it in the state.
                    let isAtHome = input.partitionElsewhere(self.environment) == nil
                    return begin(input, isParkable: parked == nil && isAtHome)
                }
            }
        }
    }

    /// Receives a turn's result.
    ///
    /// - Returns: Whether the run continues; it does not if the turn was parked meanwhile.
    private func finish(_ result: TurnResult?) -> Bool {
        let isMine = self.state.withLock { state in
            guard let turn = state.phase.end() else {
                state.parkedCalls?.leave()
                return false
            }
            // The turn did not wait for them.
            for (_, commit) in state.early { commit.end(.dropped) }
            state.early = []
            if let result {
                self.apply(result, again: turn.again, &state)
            } else if !Task.isCancelled {
                self.keepWithoutResult(turn, &state)
            }
            return true
        }
        if !isMine { self.address?.deliver(result) }
        return isMine
    }

    /// Keeps the event of a turn that has no result, because another turn has ended its interaction.
    private func keepWithoutResult(_ turn: RunPhase.Running, _ state: inout State) {
        let position = turn.input.stored.position
        guard let parked = self.parkedTurn(state.overlay), parked.event.position != position else {
            self.park(turn.input, again: turn.again, &state)
            state.withoutResult = position
            return
        }
        // It is about the parked turn, which keeps its place.
        let id = turn.input.interactionID(self.environment)
        var next = turn.again ?? self.parkedTurn(turn.input.stored, id, self.intentName(turn.input, id, state))
        next.retryAt = self.environment.clock.now + RetryPolicy.standard.longest.milliseconds
        self.postpone(next, &state)
    }

    /// Takes over a turn's result.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - again: The earlier tries of its event, if it was dequeued.
    ///   - state: The run's state.
    func apply(_ result: TurnResult, again: ParkedTurn? = nil, _ state: inout State) {
        let parked = self.parkedTurn(state.overlay)
        let isParked = parked?.event.position == result.stored.position
        let continued = isParked ? parked : again
        let generation = continued.map { $0.generation + 1 } ?? 0
        state.overlay.merge(result.writes)
        self.recordWrites(result.writes, &state)
        if result.endsParked { state.endedParked = true }
        if let retryAt = result.retryAt {
            let id = result.record.interactionID
            var next =
                continued ?? self.parkedTurn(result.stored, id, self.intentName(result.input, id, state))
            next.generation = generation
            next.attempt += 1
            next.retryAt = retryAt
            next.failedAt = result.record.until ?? result.record.at
            if parked != nil && !isParked {
                self.postpone(next, &state)
            } else {
                state.overlay[StateName.parked] = StateEntry(next)
                state.queue.notice(next.interactionID)
                state.queuePhase.search()
            }
        } else if isParked {
            state.overlay[StateName.parked] = .some(nil)
        }
        state.entries.append(Entry(result: result, generation: generation))
    }

    // MARK: Notes

    func receive(_ note: TurnNote) -> Bool {
        guard let address = self.address, self.state.withLock({ $0.phase.isParked }) else { return false }
        address.send(note)
        return true
    }

    func receive(_ note: TurnNote, _ commit: NoteCommit) {
        guard let address = self.address else { return commit.end(.dropped) }
        let isParked = self.state.withLock { state in
            if !state.phase.isParked { state.early.append((note, commit)) }
            return state.phase.isParked
        }
        if isParked { address.send(note, commit) }
    }

    /// Records what the parked turn says while it is running.
    private func record(_ note: TurnNote, _ commit: NoteCommit?, _ state: inout State) {
        guard var parked = self.parkedTurn(state.overlay) else {
            commit?.end(.dropped)
            return
        }
        let input = TurnInput(parked)
        var note = note
        switch note {
        case .report(let fraction, let text, _):
            note = .report(fraction: fraction, text: text, steps: parked.steps.map(\.name))
            parked.inProgressAt = nil
        case .step(let step):
            parked.steps.append(step)
            parked.timeoutAt = max(parked.timeoutAt, self.timeout(after: input, parked, state))
        }
        parked.generation += 1
        let entry = StateEntry(parked)
        let turn = Turn(input, self.environment, PresentState(run: self, overlay: state.overlay))
        guard entry.text.count <= RecordLimits.value, let result = turn.noted(note), result.fits else {
            commit?.end(.tooLarge)
            return
        }
        state.overlay[StateName.parked] = entry
        state.entries.append(Entry(result: result, generation: parked.generation))
        if let commit { state.commits.append(commit) }
    }

    /// When the handler of a parked turn is cancelled that has just committed a step: no later than the interaction may
    /// last.
    private func timeout(after input: TurnInput, _ parked: ParkedTurn, _ state: State) -> Timestamp {
        let limit = self.environment.handlerTimeout(of: self.intentName(input, parked.interactionID, state))
        var began = parked.startedAt
        if input.isDecoded, let interaction = input.event.interaction { began = interaction.startedAt }
        let end = began + self.environment.settings.maxAge.milliseconds
        return min(self.environment.clock.now + limit.milliseconds, end)
    }

    // MARK: Parking

    /// Parks the turn that is running, if it runs longer than `duration` and may be parked.
    ///
    /// - Returns: Whether the run is over for this batch.
    func park(after duration: Duration, now: Duration) -> Bool {
        let (isOver, early) = self.state.withLock { state -> (Bool, [(TurnNote, NoteCommit)]) in
            guard let turn = state.phase.park(after: duration, now: now) else { return (false, []) }
            let intent = self.park(turn.input, again: turn.again, ranFor: now - turn.since, &state)
            state.parkedCalls = self.environment.metrics?.calls(of: intent)
            state.parkedCalls?.park()
            while let item = state.items.popFirst() {
                if case .event(let input) = item { self.enqueue(input, &state) }
            }
            if state.queue.candidates.isEmpty {
                state.queuePhase.endSearch(isCutShort: false)
            } else {
                state.queuePhase.search()
            }
            defer { state.early = [] }
            return (true, state.early)
        }
        for (note, commit) in early { self.address?.send(note, commit) }
        return isOver
    }

    /// Keeps the event in a state entry, for a turn that has no result yet.
    ///
    /// - Parameters:
    ///   - input: The event.
    ///   - again: The earlier tries, if it was dequeued and has been tried.
    ///   - duration: How long the turn has been running.
    ///   - state: The run's state.
    /// - Returns: The turn's intent, if it has one.
    @discardableResult
    func park(
        _ input: TurnInput,
        again: ParkedTurn?,
        ranFor duration: Duration = .zero,
        _ state: inout State
    ) -> String? {
        let interactionID = input.interactionID(self.environment)
        let intent = self.intentName(input, interactionID, state)
        var parked = self.parkedTurn(input.stored, interactionID, intent)
        if let again {
            parked.generation = again.generation + 1
            parked.attempt = again.attempt
            parked.startedAt = again.startedAt
            parked.steps = again.steps
        }
        state.queue.notice(interactionID)
        state.overlay[StateName.parked] = StateEntry(parked)
        let request = input.request(of: interactionID) { id in
            self.entry(StateName.known(id), state.overlay)?.form(KnownInteraction.self)
        }
        // The time of the turn is that of its beginning, as in its own record (R80).
        let began = Timestamp(milliseconds: self.environment.clock.now.milliseconds - duration.milliseconds)
        if let note = input.parkingNote(at: began, request: request, self.environment) {
            state.entries.append(Entry(result: note, generation: parked.generation))
        }
        return intent
    }

    private func parkedTurn(_ stored: StoredRecord, _ interactionID: InteractionID?, _ intent: String?) -> ParkedTurn {
        let now = self.environment.clock.now
        let timeout = self.environment.handlerTimeout(of: intent)
        var parked = ParkedTurn(
            event: stored,
            interactionID: interactionID,
            startedAt: now,
            timeoutAt: now + timeout.milliseconds
        )
        if self.environment.stage == .handle {
            parked.inProgressAt = now + self.environment.settings.inProgressAfter.milliseconds
        }
        return parked
    }

    /// The intent of a turn: from its event, or from its interaction.
    private func intentName(_ input: TurnInput, _ interactionID: InteractionID?, _ state: State) -> String? {
        input.intentName(of: interactionID) { self.entry($0, state.overlay) }
    }

    // MARK: Results

    /// The outcome of a run, besides what its turns write.
    ///
    /// This is a reference: it is passed around, and a copy would touch each part.
    final class Outcome: Sendable {
        /// What is parked for the user now.
        enum Parked {
            case nothing
            /// A turn that was parked in this batch; its task may still run it.
            case running(Task<Void, Never>)
            /// A turn without a result: its interaction was ended by another turn, so that it is not run again.
            case withoutResult
            /// A turn that does not run.
            case idle

            /// The task of a turn that may still run.
            var task: Task<Void, Never>? {
                if case .running(let task) = self { task } else { nil }
            }
        }

        /// The events whose turns are over; empty when there are no suspects.
        let turns: [RecordPosition]
        /// Failures, to be reported after the commit.
        let failures: [TurnResult]
        /// The changed state entries, without those that were made and removed within the run.
        let writes: StateWrites
        /// Whether the task of the turn that was parked before the batch can be cancelled.
        let endedParked: Bool
        /// What is parked for the user now.
        let parked: Parked
        /// Whether the next batch has more to do for the user: an event that overtakes the turn parked in this one, or
        /// events of the queue that are still on the disk.
        let continues: Bool
        /// The queue behind the parked turn.
        let queue: WaitingQueue
        /// When an event that overtakes the parked turn is retried.
        let overtakesAgainAt: Timestamp?
        /// The state entries whose timers came too early.
        let earlyTimers: [StateName]
        /// The notes for whose commit a handler waits.
        let commits: [NoteCommit]

        // In place, since a state is large to copy; it is not changed.
        fileprivate init(_ state: inout State, writes: StateWrites, parked: Parked, hasSuspects: Bool) {
            var (failures, earlyTimers): ([TurnResult], [StateName]) = ([], [])
            for index in state.entries.indices {
                let result = state.entries[index].result
                if result.failure != nil { failures.append(result) }
                if !result.earlyTimers.isEmpty { earlyTimers += result.earlyTimers }
            }
            self.turns = hasSuspects ? state.entries.map(\.result.stored.position) : []
            self.failures = failures
            self.writes = writes
            self.endedParked = state.endedParked
            self.parked = parked
            self.continues = state.queuePhase.continues(
                hasParked: parked.task != nil,
                hasCandidates: !state.queue.candidates.isEmpty
            )
            self.queue = state.queue
            self.overtakesAgainAt = state.overtakesAgainAt
            self.earlyTimers = earlyTimers
            self.commits = state.commits
        }
    }

    /// Ends the run for this batch: what its turns write goes to the batch.
    ///
    /// The worker task calls it when all is done; the batch calls it at its end, for a run whose turn was parked.
    ///
    /// - Returns: The outcome.
    @discardableResult
    func close() -> Outcome {
        let (outcome, entries) = self.state.withLock { state -> (Outcome, ShortList<Entry>?) in
            if case .over(let outcome) = state.phase { return (outcome, nil) }
            let writes = state.overlay.filter { name, value in
                value != nil || self.table.entry(name, user: self.user) != nil
            }
            let outcome = Outcome(
                &state,
                writes: writes,
                parked: self.parked(state),
                hasSuspects: self.environment.crashes?.hasSuspects ?? false
            )
            state.phase.close(outcome)
            // A parked turn continues to read what earlier turns wrote.
            if outcome.parked.task == nil { state.overlay = [:] }
            defer { state.entries = [] }
            return (outcome, state.entries)
        }
        if let entries { self.batch.add(.init(entries: entries, user: self.user, writes: outcome.writes)) }
        return outcome
    }

    /// What is parked when the run is over.
    private func parked(_ state: State) -> Outcome.Parked {
        if case .parked(let worker) = state.phase, let task = worker.task { return .running(task) }
        guard self.entry(StateName.parked, state.overlay) != nil else { return .nothing }
        guard let position = state.withoutResult, self.parkedTurn(state.overlay)?.event.position == position else {
            return .idle
        }
        return .withoutResult
    }
}

extension TimerKind {
    /// Whether it is about the parked turn.
    var isOfParkedTurn: Bool {
        switch self {
        case .inProgress, .timeout, .retry, .unreadable: true
        case .prompt, .app, .status, .again, .followUp, .undo, .resume: false
        }
    }
}
