internal import IntentEvents
internal import IntentKit

/// What waits behind a parked turn (SPEC R5).
extension UserRun {
    /// Whether an event does not wait behind the parked turn (SPEC R5): what is about the parked turn itself, and
    /// cancellations of interactions that are not waiting too.
    func overtakes(_ input: TurnInput, _ state: State) -> Bool {
        guard case .success(let event) = input.event else { return false }
        switch event.knownType {
        case .timerFired:
            return event.data["what"]?.string.flatMap(TimerKind.init(rawValue:))?.isOfParkedTurn ?? false
        case .interactionCancelled:
            guard let id = event.subject else { return true }
            let parked = self.bytes(StateName.parked, state).flatMap { try? JSONValue(parsing: $0) }
            return parked?["interaction"]?.string == id || self.bytes(StateName.known(id), state) != nil
        default:
            return false
        }
    }

    func enqueue(_ input: TurnInput, _ state: inout State) {
        let names = self.queueNames(state)
        let isClients = input.stored.position.topic == .requests
        if isClients && names.count >= self.runner.environment.settings.queueLimit {
            state.entries.append(Entry(result: self.busy(input), generation: 0))
            return
        }
        let last = names.last.flatMap { Int64($0.dropFirst(StateName.queue.utf8.count)) } ?? -1
        state.overlay[StateName.queued(last + 1)] = input.stored.json.utf8
    }

    func takeFromQueue(_ state: inout State) -> TurnInput? {
        guard let name = self.queueNames(state).first, let input = self.queued(name, state) else { return nil }
        state.overlay[name] = .some(nil)
        return input
    }

    /// Takes an event that overtakes the parked turn out of the queue behind it; the end of that turn comes first.
    func takeOvertaking(_ state: inout State) -> TurnInput? {
        guard state.looksInQueue else { return nil }
        if case .continuation? = state.items.last { return nil }
        for name in self.queueNames(state) {
            guard let input = self.queued(name, state), self.overtakes(input, state) else { continue }
            state.overlay[name] = .some(nil)
            return input
        }
        state.looksInQueue = false
        return nil
    }

    /// Tries an event that has overtaken the parked turn again later; the parked turn keeps its place in the state.
    ///
    /// The parked turn's time-out gets a new deadline. A cancellation waits behind the parked turn after all, as if it
    /// had not been looked at: another try of that turn, or its end, is the next time to look.
    func postpone(_ result: TurnResult, until retryAt: Timestamp, behind parked: ParkedTurn, _ state: inout State) {
        if result.record.eventType == EventType.timerFired.rawValue {
            var parked = parked
            parked.timeoutAt = retryAt
            state.overlay[StateName.parked] = parked.json.utf8
            state.entries.append(Entry(result: result, generation: 0))
        } else {
            self.enqueue(TurnInput(result.stored), &state)
            state.looksInQueue = false
        }
    }

    /// Whether an event that overtakes the parked turn waits behind it.
    func hasOvertaking(_ state: State) -> Bool {
        self.queueNames(state)
            .contains { name in
                self.queued(name, state).map { self.overtakes($0, state) } ?? false
            }
    }

    private func queued(_ name: String, _ state: State) -> TurnInput? {
        self.bytes(name, state).flatMap { try? JSONValue(parsing: $0) }.flatMap(StoredRecord.init(json:))
            .map { TurnInput($0) }
    }

    private func queueNames(_ state: State) -> [String] {
        var names = Set(self.table.names(prefix: StateName.queue, user: self.user))
        for (name, value) in state.overlay where name.hasPrefix(StateName.queue) {
            if value == nil { names.remove(name) } else { names.insert(name) }
        }
        return names.sorted()
    }

    /// The answer to an event for which there is no more room (SPEC R5).
    private func busy(_ input: TurnInput) -> TurnResult {
        let environment = self.runner.environment
        guard case .success(let event) = input.event else {
            preconditionFailure("only events of a known user wait behind a parked turn")
        }
        return Turn(
            environment: environment,
            input: input,
            event: event,
            now: environment.clock.now,
            source: RecordedState(before: [:]),
            makeHost: { _ in preconditionFailure("a rejection calls no handler") }
        )
        .refused()
    }
}
