internal import IntentEvents
internal import IntentKit

/// The queue behind a parked turn (R5).
extension UserRun {
    /// Whether an event does not wait behind the parked turn (R5): events about the parked turn itself, and
    /// cancellations of interactions that are not queued.
    func overtakes(_ input: TurnInput, _ state: State) -> Bool {
        guard input.isDecoded else { return false }
        switch input.event.knownType {
        case .timerFired:
            return input.event["what"]?.string.flatMap(TimerKind.init(rawValue:))?.isOfParkedTurn ?? false
        case .interactionCancelled:
            guard let id = input.event.subject else { return true }
            return self.parkedTurn(state.overlay)?.interactionID == id
                || self.entry(StateName.known(id), state.overlay) != nil
        case .operatorActed:
            guard let act = OperatorAct(input.event) else { return true }
            // A pause and its end are in order. A retry of another interaction calls a handler, and waits for its turn.
            guard let id = input.event.subject else { return false }
            return self.parkedTurn(state.overlay)?.interactionID == id
                || act.kind == .cancel && self.entry(StateName.known(id), state.overlay) != nil
        default:
            return false
        }
    }

    /// Adds an event to the queue behind the parked turn.
    ///
    /// An event for which there is no room is refused. A record that is no event goes to dead letters at once: that
    /// needs no handler, and the record may be too large for the state.
    func enqueue(_ input: TurnInput, _ state: inout State) {
        guard input.isDecoded, !self.isDeadLetteredAtOnce(input) else {
            let source = PresentState(run: self, overlay: state.overlay)
            let isUnwritable = self.isUnwritable(input)
            let result = Turn.deadLetter(input, in: self.environment, source: source, isUnwritable: isUnwritable)
            self.apply(result, &state)
            return
        }
        let isClients = input.stored.position.topic == .requests
        if isClients && state.queue.count >= self.environment.settings.queueLimit {
            state.entries.append(Entry(result: self.busy(input), generation: 0))
            return
        }
        let kind = WaitingQueue.Kind(input.event)
        let number = state.queue.append(kind, isCandidate: kind != .patient && self.overtakes(input, state))
        state.overlay[StateName.queued(number)] = StateEntry(text: input.stored.json.utf8)
    }

    /// Puts an event that overtakes the parked turn back into the queue for its next try, after a transient error.
    ///
    /// The parked turn keeps its place, since the event is about it.
    func postpone(_ turn: ParkedTurn, _ state: inout State) {
        state.overlay[StateName.queued(state.queue.append(.urgent))] = StateEntry(text: turn.utf8)
        state.overtakesAgainAt = min(state.overtakesAgainAt ?? .distantFuture, turn.retryAt ?? .distantFuture)
    }

    /// Removes and returns the next event of the queue; no turn is parked.
    ///
    /// If more are on the disk, the last event in memory is parked before it runs. The others are loaded for a later
    /// batch, and as long as any event waits there has to be a parked turn.
    ///
    /// - Returns: The event, and its earlier tries if there were any.
    func dequeue(_ state: inout State) -> (input: TurnInput, again: ParkedTurn?)? {
        let limit = self.environment.settings.queueHead
        for number in state.queue.head(limit) {
            let name = StateName.queued(number)
            guard let text = self.entry(name, state.overlay)?.text else {
                state.queuePhase.rest()
                return nil
            }
            // A turn of its own removes an unreadable entry; those behind it do not wait for that.
            guard let (input, again) = Self.queued(text) else { continue }
            state.overlay[name] = .some(nil)
            state.queue.remove(number)
            state.dequeued += 1
            let isLast = state.dequeued >= Self.turnsOfQueue || self.isNextOnDisk(state)
            guard isLast, !state.queue.isEmpty, !self.isDeadLetteredAtOnce(input) else { return (input, again) }
            self.park(input, again: again, &state)
            state.queuePhase.hold()
            return nil
        }
        return nil
    }

    /// How many turns of one queue a batch runs at most, since other users' answers wait for them.
    private static let turnsOfQueue = 64

    private func isNextOnDisk(_ state: State) -> Bool {
        state.queue.first.map { self.entry(StateName.queued($0), state.overlay) == nil } ?? false
    }

    /// Removes and returns an event of the queue that overtakes the parked turn.
    ///
    /// The end of that turn would come first.
    ///
    /// - Returns: The event, and its earlier tries if there were any.
    func dequeueOvertaking(_ state: inout State) -> (input: TurnInput, again: ParkedTurn?)? {
        guard state.queuePhase == .searched else { return nil }
        switch state.items.first {
        case .continuation?, .note?: return nil
        case .event?, nil: break
        }
        let now = self.environment.clock.now
        var isCutShort = false
        for number in state.queue.candidates {
            let name = StateName.queued(number)
            guard let text = self.entry(name, state.overlay)?.text else {
                // It is loaded from the disk for the next batch, as are those behind it.
                isCutShort = true
                break
            }
            guard let (input, again) = Self.queued(text), self.overtakes(input, state) else {
                state.queue.pass(number)
                continue
            }
            if let retryAt = again?.retryAt, retryAt > now {
                state.overtakesAgainAt = min(state.overtakesAgainAt ?? .distantFuture, retryAt)
                continue
            }
            state.overlay[name] = .some(nil)
            state.queue.remove(number)
            return (input, again)
        }
        state.queuePhase.endSearch(isCutShort: isCutShort)
        return nil
    }

    /// Updates the queue according to a turn's writes.
    func recordWrites(_ writes: StateWrites, _ state: inout State) {
        guard !state.queue.isEmpty else { return }
        for (name, value) in writes {
            if let number = name.queueNumber {
                if value == nil { state.queue.remove(number) }
            } else if value != nil, name.hasPrefix(StateName.knownInteractions) {
                state.queue.notice(InteractionID(String(name.text.dropFirst(StateName.knownInteractions.text.count))))
            }
        }
    }

    private static func queued(_ text: [UInt8]) -> (input: TurnInput, again: ParkedTurn?)? {
        switch QueuedEvent(text: text) {
        case .again(let turn)?: (TurnInput(turn), turn)
        case .first(let stored)?: (TurnInput(stored), nil)
        case nil: nil
        }
    }

    /// The names of the user's entries of a family, sorted, including those written in this batch.
    func names(prefix: StateFamily, _ overlay: StateWrites) -> [StateName] {
        let kept = self.table.names(prefix: prefix, user: self.user)
        guard overlay.keys.contains(where: { $0.hasPrefix(prefix) }) else { return kept }
        var names = Set(kept)
        for (name, value) in overlay where name.hasPrefix(prefix) {
            if value == nil { names.remove(name) } else { names.insert(name) }
        }
        return names.sorted()
    }

    /// The answer to an event for which there is no room (R5).
    private func busy(_ input: TurnInput) -> TurnResult {
        Turn(input, self.environment, RecordedState(before: [:])).refused()
    }

    /// The user's state at this point of the batch.
    struct PresentState: StateSource {
        let run: UserRun
        let overlay: StateWrites

        func entry(_ name: StateName) -> StateEntry? { self.run.entry(name, self.overlay) }

        func names(prefix: StateFamily) -> [StateName] { self.run.names(prefix: prefix, self.overlay) }

        var pauses: [Pause] { self.run.pauses }
    }
}
