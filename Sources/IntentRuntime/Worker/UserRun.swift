internal import IntentEvents
internal import IntentKit
import Synchronization

/// One user's events of a batch, strictly in order (R4), with their results.
///
/// A worker task of the batch drives it. The batch may park the running turn (R5). Then that task continues with this
/// turn alone and delivers its result to the mailbox; all later events wait in the user's queue.
final class UserRun: StateSource {
    /// An item of work for the user.
    enum Item {
        /// An event that was read.
        case event(TurnInput)
        /// The result of a parked turn.
        case continuation(TurnResult)
    }

    /// A turn's result, and the number of the continuation.
    struct Entry {
        var result: TurnResult
        var generation: Int
    }

    enum Phase {
        /// Nothing runs: before the first turn, between two, after the last.
        case idle
        /// A turn runs; the batch may park it, unless its event overtakes a parked turn.
        case running(TurnInput, since: Duration, isParkable: Bool)
        /// The running turn was parked: its result goes to the mailbox.
        case parked
    }

    struct State {
        var phase = Phase.idle
        /// The worker task that drives it; nil while there is none.
        var worker: BatchExecution.WorkerTask?
        var items: [Item]
        var overlay: StateWrites = [:]
        var entries: [Entry] = []
        /// Whether the queue may have an event that overtakes the parked turn.
        var looksInQueue = false
        /// The earlier tries of the event that was dequeued, if any.
        var again: ParkedTurn?
        /// When an event that overtakes the parked turn is retried.
        var overtakesAgainAt: Timestamp?
        /// Whether the turn that ran for the user's parked entry has ended or was cancelled.
        var endedParked = false
        /// Whether a turn had no result because another turn has ended its interaction.
        var cameToNothing = false
        /// The queue behind the parked turn.
        var queue: WaitingQueue
        /// The number of dequeued turns in this batch.
        var dequeued = 0
        /// Whether an event from the queue was parked before its turn ran: then nothing overtakes it in this batch.
        var isDeferred = false
        /// Whether the next event is on the disk, and no turn is parked.
        var isResting = false
        /// Whether events that may overtake are still on the disk.
        var goesOnOvertaking = false
        /// Counts the parked turn among the calls of its handler; nil where nothing is measured.
        var parkedCalls: HandlerCalls?
        /// Its outcome, once it is over for this batch.
        var outcome: Outcome?
    }

    let user: UserID
    let environment: StageEnvironment
    /// Events that go to dead letters because a topic did not accept what their turns wrote.
    private let unwritable: Set<RecordPosition>
    let table: StateTable
    private let batch: PartitionBatch
    private let deliver: @Sendable (TurnResult?) -> Void
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
    ///   - batch: Receives what the turns write.
    ///   - deliver: Receives the result of a turn that was parked meanwhile.
    init(
        user: UserID,
        items: [Item],
        environment: StageEnvironment,
        unwritable: Set<RecordPosition> = [],
        table: StateTable,
        queue: WaitingQueue = WaitingQueue(),
        looksInQueue: Bool,
        batch: PartitionBatch,
        deliver: @escaping @Sendable (TurnResult?) -> Void
    ) {
        self.user = user
        self.environment = environment
        self.unwritable = unwritable
        self.table = table
        self.batch = batch
        self.deliver = deliver
        let items = items.count > 1 ? items.reversed() : items
        self.state = Mutex(State(items: items, looksInQueue: looksInQueue, queue: queue))
    }

    // MARK: State for turns

    func entry(_ name: StateName) -> StateEntry? { self.state.withLock { self.entry(name, $0.overlay) } }

    func keep(_ entry: StateEntry, _ name: StateName) {
        // Entries written in this batch have a parsed form, or one that cannot be kept.
        self.table.keep(entry, name, user: self.user)
    }

    func names(prefix: StateFamily) -> [StateName] {
        self.state.withLock { self.names(prefix: prefix, $0.overlay) }
    }

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

    /// Whether nothing of the event can wait in state: it is buried at once.
    func isBuriedAtOnce(_ input: TurnInput) -> Bool { !input.isDecoded || self.isUnwritable(input) }

    /// Runs the items.
    ///
    /// - Parameter worker: The worker task.
    /// - Returns: Whether all is done; if not, the running turn was parked meanwhile, and has now ended.
    func execute(on worker: BatchExecution.WorkerTask) async -> Bool {
        self.state.withLock { $0.worker = worker }
        while let input = self.nextTurn() {
            let result = await Turn.run(
                input,
                in: self.environment,
                source: self,
                isUnwritable: self.isUnwritable(input)
            )
            guard self.finish(input, result) else { return false }
        }
        self.state.withLock { $0.worker = nil }
        self.close()
        return true
    }

    /// The next turn that has to be run.
    ///
    /// Items that need no turn are handled on the way.
    private func nextTurn() -> TurnInput? {
        self.state.withLock { state in
            while true {
                var parked = self.entry(StateName.parked, state.overlay)
                if parked == nil, !state.queue.isEmpty, !state.isResting, let input = self.dequeue(&state) {
                    state.phase = .running(
                        input,
                        since: self.environment.clock.uptime,
                        isParkable: !self.isBuriedAtOnce(input)
                    )
                    return input
                }
                if state.isDeferred { parked = self.entry(StateName.parked, state.overlay) }
                if parked != nil, let input = self.dequeueOvertaking(&state) {
                    state.phase = .running(input, since: self.environment.clock.uptime, isParkable: false)
                    return input
                }
                guard let item = state.items.popLast() else { return nil }
                switch item {
                case .continuation(let result):
                    if let spans = result.spans, let turn = self.parkedTurn(state.overlay) {
                        spans.note(parkedAt: turn.startedAt)
                    }
                    state.endedParked = true
                    self.apply(result, &state)
                case .event(let input):
                    if state.isResting || state.isDeferred || parked != nil && !self.overtakes(input, state) {
                        self.enqueue(input, &state)
                        continue
                    }
                    // An event that only has to be forwarded home is never slow, and nothing of it stays here (R1). The
                    // same holds for burying a record that is no event, and there may be no room for it in the state.
                    let isAtHome = input.partitionElsewhere(of: self.environment.partitions) == nil
                    state.phase = .running(
                        input,
                        since: self.environment.clock.uptime,
                        isParkable: parked == nil && isAtHome && !self.isBuriedAtOnce(input)
                    )
                    return input
                }
            }
        }
    }

    /// Receives a turn's result.
    ///
    /// - Returns: Whether the run continues; it does not if the turn was parked meanwhile.
    private func finish(_ input: TurnInput, _ result: TurnResult?) -> Bool {
        let isMine = self.state.withLock { state in
            guard case .running = state.phase else {
                state.parkedCalls?.leave()
                return false
            }
            state.phase = .idle
            if let result {
                self.apply(result, &state)
            } else if !Task.isCancelled {
                self.park(input, &state)
                state.cameToNothing = true
            }
            return true
        }
        if !isMine { self.deliver(result) }
        return isMine
    }

    func apply(_ result: TurnResult, _ state: inout State) {
        let parked = self.parkedTurn(state.overlay)
        let isParked = parked?.event.position == result.stored.position
        var continued = isParked ? parked : nil
        if let again = state.again, continued == nil, again.event.position == result.stored.position {
            continued = again
        }
        let generation = continued.map { $0.generation + 1 } ?? 0
        state.again = nil
        state.overlay.merge(result.writes)
        self.noteWrites(result.writes, &state)
        if result.endsParked { state.endedParked = true }
        if let retryAt = result.retryAt {
            let id = result.record.interactionID
            var next =
                continued ?? self.parkedTurn(result.stored, id, self.intentName(result.stored, id, state))
            next.generation = generation
            next.attempt += 1
            next.retryAt = retryAt
            if parked != nil && !isParked {
                self.postpone(next, &state)
            } else {
                state.overlay[StateName.parked] = StateEntry(next)
                state.queue.notice(next.interactionID)
                state.looksInQueue = true
            }
        } else if isParked {
            state.overlay[StateName.parked] = .some(nil)
        }
        state.entries.append(Entry(result: result, generation: generation))
    }

    // MARK: Parking

    /// Parks the turn that is running, if it runs longer than `duration` and may be parked.
    ///
    /// - Returns: Whether the run is over for this batch.
    func park(after duration: Duration, now: Duration) -> Bool {
        self.state.withLock { state in
            guard case .running(let input, let since, true) = state.phase, now - since >= duration else { return false }
            state.phase = .parked
            let intent = self.park(input, &state)
            state.parkedCalls = self.environment.metrics?.calls(of: intent)
            state.parkedCalls?.park()
            while let item = state.items.popLast() {
                if case .event(let input) = item { self.enqueue(input, &state) }
            }
            state.looksInQueue = !state.queue.candidates.isEmpty
            return true
        }
    }

    /// Keeps the event in a state entry, for a turn that has no result yet.
    ///
    /// - Returns: The turn's intent, if it has one.
    @discardableResult
    func park(_ input: TurnInput, _ state: inout State) -> String? {
        let interactionID = input.interactionID(self.environment)
        let intent = self.intentName(input.stored, interactionID, state)
        var parked = self.parkedTurn(input.stored, interactionID, intent)
        if let again = state.again, again.event.position == input.stored.position {
            parked.generation = again.generation + 1
            parked.attempt = again.attempt
            parked.startedAt = again.startedAt
        }
        state.again = nil
        state.queue.notice(interactionID)
        state.overlay[StateName.parked] = StateEntry(parked)
        if let note = input.parkingNote(at: self.environment.clock.now, self.environment) {
            state.entries.append(Entry(result: note, generation: parked.generation))
        }
        return intent
    }

    private func parkedTurn(_ stored: StoredRecord, _ interactionID: InteractionID?, _ intent: String?) -> ParkedTurn {
        let now = self.environment.clock.now
        let timeout =
            intent.flatMap { self.environment.registry[$0]?.handlerTimeout } ?? self.environment.settings.handlerTimeout
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
    private func intentName(_ stored: StoredRecord, _ interactionID: InteractionID?, _ state: State) -> String? {
        stored.intentName(of: interactionID) { self.entry($0, state.overlay) }
    }

    // MARK: Results

    /// The outcome of a run, besides what its turns write.
    ///
    /// This is a reference: it is passed around, and a copy would touch each part.
    final class Outcome: Sendable {
        /// The events whose turns are over; empty when there are no suspects.
        let turns: [RecordPosition]
        /// Failures, to be reported after the commit.
        let failures: [TurnResult]
        /// The changed state entries, without those that were made and removed within the run.
        let writes: StateWrites
        /// Whether the task of the turn that was parked before the batch can be cancelled.
        let endedParked: Bool
        /// The task of a turn that was parked in this batch and may still run.
        let parkedTask: Task<Void, Never>?
        /// Whether a turn was parked in this batch because it had no result.
        let cameToNothing: Bool
        /// Whether the next batch has more to do for the user: an event that overtakes the turn parked in this one, or
        /// events of the queue that are still on the disk.
        let goesOn: Bool
        /// The queue behind the parked turn.
        let queue: WaitingQueue
        /// When an event that overtakes the parked turn is retried.
        let overtakesAgainAt: Timestamp?
        /// The state entries whose timers came too early.
        let earlyTimers: [StateName]
        /// Whether a turn of the user is parked now.
        let hasParked: Bool

        /// Makes the outcome of a run.
        fileprivate init(_ state: State, writes: StateWrites, hasParked: Bool, hasSuspects: Bool) {
            var parkedTask: Task<Void, Never>?
            if case .parked = state.phase { parkedTask = state.worker?.task }
            self.turns = hasSuspects ? state.entries.map(\.result.stored.position) : []
            self.failures = state.entries.lazy.map(\.result).filter { $0.failure != nil }
            self.writes = writes
            self.endedParked = state.endedParked
            self.parkedTask = parkedTask
            self.cameToNothing = state.cameToNothing
            let hasOvertaking = parkedTask != nil && state.looksInQueue
            let waitsToOvertake = state.isDeferred && !state.queue.candidates.isEmpty
            self.goesOn = hasOvertaking || waitsToOvertake || state.goesOnOvertaking || state.isResting
            self.queue = state.queue
            self.overtakesAgainAt = state.overtakesAgainAt
            self.earlyTimers = state.entries.flatMap(\.result.earlyTimers)
            self.hasParked = hasParked
        }
    }

    /// Ends the run for this batch: what its turns write goes to the batch.
    ///
    /// The worker task calls it when all is done; the batch calls it at its end, for a run whose turn was parked.
    ///
    /// - Returns: The outcome.
    @discardableResult
    func close() -> Outcome {
        let (outcome, entries) = self.state.withLock { state -> (Outcome, [Entry]?) in
            if let outcome = state.outcome { return (outcome, nil) }
            let writes = state.overlay.filter { name, value in
                value != nil || self.table.entry(name, user: self.user) != nil
            }
            let outcome = Outcome(
                state,
                writes: writes,
                hasParked: self.entry(StateName.parked, state.overlay) != nil,
                hasSuspects: self.environment.crashes?.hasSuspects ?? false
            )
            state.outcome = outcome
            // A parked turn continues to read what earlier turns wrote.
            if outcome.parkedTask == nil { state.overlay = [:] }
            defer { state.entries = [] }
            return (outcome, state.entries)
        }
        if let entries { self.batch.add { $0.append(entries, user: self.user, writes: outcome.writes) } }
        return outcome
    }
}

extension StoredRecord {
    /// The intent of the event's turn: from the event, or from its interaction in the user's state.
    func intentName(of interactionID: InteractionID?, in entry: (StateName) -> StateEntry?) -> String? {
        guard let event = try? self.decoded() else { return nil }
        var name: String?
        event.fields.look { name = ($0["intent"] ?? $0["interaction"]?["intent"])?["name"]?.string }
        if let name { return name }
        let known = interactionID.flatMap { entry(StateName.known($0)) }?.form(KnownInteraction.self)
        guard let request = event.requestTold ?? known?.request else { return nil }
        return entry(StateName.interaction(request))?.form(Interaction.self)?.intent.name
    }
}

extension TimerKind {
    /// Whether it is about the parked turn.
    var isOfParkedTurn: Bool {
        switch self {
        case .inProgress, .timeout, .retry, .unreadable: true
        case .prompt, .app, .status: false
        }
    }
}
