internal import IntentEvents
internal import IntentKit

/// What waits behind a parked turn (R5).
extension UserRun {
    /// Whether an event does not wait behind the parked turn (R5): what is about the parked turn itself, and
    /// cancellations of interactions that are not waiting too.
    func overtakes(_ input: TurnInput, _ state: State) -> Bool {
        guard case .success(let event) = input.event else { return false }
        switch event.knownType {
        case .timerFired:
            return event.data["what"]?.string.flatMap(TimerKind.init(rawValue:))?.isOfParkedTurn ?? false
        case .interactionCancelled:
            guard let id = event.subject else { return true }
            let parked = self.bytes(StateName.parked, state.overlay).flatMap { try? JSONValue(parsing: $0) }
            return parked?["interaction"]?.string.map { InteractionID($0) } == id
                || self.bytes(StateName.known(id), state.overlay) != nil
        default:
            return false
        }
    }

    /// Has an event wait behind the parked turn; one for which there is no room is refused, and what is no event is
    /// buried at once: no handler is needed for that, and it may be too large for the state.
    func enqueue(_ input: TurnInput, _ state: inout State) {
        guard case .success(let event) = input.event, !self.runner.isBuriedAtOnce(input) else {
            let source = PresentState(run: self, overlay: state.overlay)
            self.apply(self.runner.bury(input, source: source), &state)
            return
        }
        let names = self.queueNames(state.overlay)
        let isClients = input.stored.position.topic == .requests
        if isClients && names.count >= self.runner.environment.settings.queueLimit {
            state.entries.append(Entry(result: self.busy(input, event), generation: 0))
            return
        }
        let last = names.last.flatMap { Int64($0.text.dropFirst(StateName.queue.utf8.count)) } ?? -1
        state.overlay[StateName.queued(last + 1)] = input.stored.json.utf8
    }

    /// Has an event that overtakes the parked turn, and failed in a way that may pass, wait behind it for its next try.
    ///
    /// The parked turn keeps its place: it is what the event is about.
    func postpone(_ turn: ParkedTurn, _ state: inout State) {
        let names = self.queueNames(state.overlay)
        let last = names.last.flatMap { Int64($0.text.dropFirst(StateName.queue.utf8.count)) } ?? -1
        state.overlay[StateName.queued(last + 1)] = turn.json.utf8
        state.overtakesAgainAt = min(state.overtakesAgainAt ?? .distantFuture, turn.retryAt ?? .distantFuture)
    }

    func takeFromQueue(_ state: inout State) -> TurnInput? {
        for name in self.queueNames(state.overlay) {
            // One that cannot be read is taken out by a turn of its own; those behind it do not wait for that.
            guard let (input, again) = self.queued(name, state) else { continue }
            state.overlay[name] = .some(nil)
            state.again = again
            return input
        }
        return nil
    }

    /// Takes an event that overtakes the parked turn out of the queue behind it; the end of that turn comes first.
    func takeOvertaking(_ state: inout State) -> TurnInput? {
        guard state.looksInQueue else { return nil }
        if case .continuation? = state.items.last { return nil }
        let now = self.runner.environment.clock.now
        for name in self.queueNames(state.overlay) {
            guard let (input, again) = self.queued(name, state), self.overtakes(input, state) else { continue }
            if let retryAt = again?.retryAt, retryAt > now {
                state.overtakesAgainAt = min(state.overtakesAgainAt ?? .distantFuture, retryAt)
                continue
            }
            state.overlay[name] = .some(nil)
            state.again = again
            return input
        }
        state.looksInQueue = false
        return nil
    }

    /// Whether an event that overtakes the parked turn waits behind it.
    func hasOvertaking(_ state: State) -> Bool {
        self.queueNames(state.overlay)
            .contains { name in
                self.queued(name, state).map { self.overtakes($0.input, state) } ?? false
            }
    }

    private func queued(_ name: StateName, _ state: State) -> (input: TurnInput, again: ParkedTurn?)? {
        guard let json = self.bytes(name, state.overlay).flatMap({ try? JSONValue(parsing: $0) }) else { return nil }
        if let again = ParkedTurn(json: json) {
            return (TurnInput(again.event, attempt: again.attempt, firstTriedAt: again.startedAt), again)
        }
        return StoredRecord(json: json).map { (TurnInput($0), nil) }
    }

    private func queueNames(_ overlay: StateWrites) -> [StateName] {
        self.names(prefix: StateName.queue, overlay)
    }

    /// The names of the user's entries that start like this, sorted, with what was written in this batch.
    func names(prefix: StateFamily, _ overlay: StateWrites) -> [StateName] {
        let kept = self.table.names(prefix: prefix, user: self.user)
        guard overlay.keys.contains(where: { $0.hasPrefix(prefix) }) else { return kept }
        var names = Set(kept)
        for (name, value) in overlay where name.hasPrefix(prefix) {
            if value == nil { names.remove(name) } else { names.insert(name) }
        }
        return names.sorted()
    }

    /// The answer to an event for which there is no more room (R5).
    private func busy(_ input: TurnInput, _ event: Event) -> TurnResult {
        self.runner.turn(input, event, source: RecordedState(before: [:])).refused()
    }

    /// The user's state as it is at this point of the batch.
    private struct PresentState: StateSource {
        let run: UserRun
        let overlay: StateWrites

        func text(_ name: StateName) -> [UInt8]? {
            if let written = self.overlay[name] { return written }
            return self.run.table.value(name, user: self.run.user)
        }

        func names(prefix: StateFamily) -> [StateName] { self.run.names(prefix: prefix, self.overlay) }
    }
}
