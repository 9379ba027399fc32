package import IntentEvents
import Synchronization

/// Marks the turns that run in this process, and runs suspect turns alone (R56).
///
/// There is one for each process, since alone means alone in the process, across all stages and lanes.
package final class CrashWatch: Sendable {
    /// How long a turn that is to run alone waits for others to end.
    package static let waitLimit = Duration.seconds(2)
    /// How long others wait for a turn that runs alone.
    ///
    /// The time doubles with each crash beyond the limit. After that the gate stays open for as long as it was closed.
    package static let timeAlone = Duration.seconds(2)

    /// A slot for the mark of one turn, and of those that follow it.
    ///
    /// There are slots only while no turn has a crash count. From then on none has: every turn is admitted at once, and
    /// the owner of the slot only marks it, which needs no lock.
    package struct Slot: Sendable {
        fileprivate let number: Int
    }

    /// What a turn gets when it is admitted.
    package struct Pass: Sendable {
        /// The verdict with which the turn ends; nil for a turn that runs.
        package let verdict: CrashVerdict?
        fileprivate var number: Int?
        fileprivate var slot: Slot?
    }

    /// A turn that is to run alone.
    private struct Soloist {
        var turn: TurnKey
        /// The number of its crashes beyond the limit.
        var surplus: Int
        /// Distinguishes it from earlier holders of its number.
        var serial: Int
    }

    /// A timer that is to be started.
    private struct Timer {
        var number: Int
        var serial: Int
        var duration: Duration
        var end: End

        /// What ends when the timer fires.
        enum End {
            /// The soloist's wait for others.
            case waiting
            /// The soloist's time alone.
            case beingAlone
            /// The gate's rest.
            case rest
        }
    }

    /// What is to be done after the lock on the state is released.
    private struct Consequences {
        var admitted: [CheckedContinuation<Void, Never>] = []
        var timers: [Timer] = []
    }

    private struct State {
        var gate = SoloGate()
        var suspects: SuspectTurns
        /// The turns that wait to be admitted.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The suspect turns, by number.
        var soloists: [Int: Soloist] = [:]
        var serial = 0
        /// Since when the gate is closed, by the machine's uptime.
        var closedSince: Duration?
    }

    /// When the previous process was found to have crashed; nil when it did not.
    package let foundCrashAt: Timestamp?
    private let state: Mutex<State>
    /// Whether any turn has a crash count; false remains false.
    private let isSuspicious: Atomic<Bool>
    private let marks: any CrashMarks
    private let clock: any RuntimeClock

    /// Watches the turns of a process.
    ///
    /// - Parameters:
    ///   - suspects: The turns that were running when earlier processes crashed.
    ///   - foundCrashAt: When the previous process was found to have crashed; nil when it did not.
    ///   - marks: Where turns are marked.
    ///   - clock: The clock for waits.
    package init(
        _ suspects: SuspectTurns,
        foundCrashAt: Timestamp? = nil,
        marks: any CrashMarks,
        clock: any RuntimeClock
    ) {
        self.foundCrashAt = foundCrashAt
        self.state = Mutex(State(suspects: suspects))
        self.isSuspicious = Atomic(!suspects.isEmpty)
        self.marks = marks
        self.clock = clock
    }

    // MARK: Turns

    /// Takes a slot for turns that run one after the other; nil while turns have to be admitted one by one.
    package func takeSlot() -> Slot? {
        guard !self.hasSuspects else { return nil }
        return self.state.withLock { state in
            // One whose count was dropped meanwhile may still be alone.
            guard state.gate.isOpen, state.soloists.isEmpty else { return nil }
            let number = state.gate.claimNumber()
            _ = state.gate.enter(number, isSolo: false)
            return Slot(number: number)
        }
    }

    /// Gives a slot back; nil changes nothing.
    package func returnSlot(_ slot: Slot?) {
        guard let slot else { return }
        self.carryOut(self.state.withLock { state in self.apply(state.gate.leave(slot.number), &state) })
    }

    /// Marks a turn before it runs.
    ///
    /// It waits while another turn has to be alone, or until others have ended if it has to be. With a slot, it neither
    /// waits nor takes a lock.
    package func enter(_ turn: TurnKey, in slot: Slot? = nil) async -> Pass {
        if let slot {
            self.mark(slot.number, TurnMark(turn, .ordinary))
            return Pass(verdict: nil, slot: slot)
        }
        let (treatment, number) = self.state.withLock { state -> (SuspectTurns.Treatment, Int?) in
            let treatment = state.suspects.isEmpty ? .ordinary : state.suspects.treatment(of: turn)
            guard treatment == .ordinary, state.gate.isOpen else { return (treatment, nil) }
            let number = state.gate.claimNumber()
            _ = state.gate.enter(number, isSolo: false)
            self.mark(number, TurnMark(turn, .ordinary))
            return (treatment, number)
        }
        if let number { return Pass(verdict: nil, number: number) }
        switch treatment {
        case .condemned(let verdict): return Pass(verdict: verdict, number: nil)
        case .ordinary: return Pass(verdict: nil, number: await self.wait(turn, surplus: nil))
        case .solo(let surplus): return Pass(verdict: nil, number: await self.wait(turn, surplus: surplus))
        }
    }

    /// Removes a turn's mark when it no longer runs.
    package func leave(_ pass: Pass) {
        if let slot = pass.slot { self.mark(slot.number, nil) }
        guard let number = pass.number else { return }
        let consequences = self.state.withLock { state in
            self.mark(number, nil)
            state.soloists[number] = nil
            return self.apply(state.gate.leave(number), &state)
        }
        self.carryOut(consequences)
    }

    /// Turns were committed: their crash counts are dropped.
    package func forget(_ turns: some Sequence<TurnKey>) {
        let known = self.state.withLock { state -> [TurnKey] in
            guard !state.suspects.isEmpty else { return [] }
            defer { self.isSuspicious.store(!state.suspects.isEmpty, ordering: .releasing) }
            return turns.flatMap { [$0, TurnKey($0.stage, $0.position, isReading: true)] }
                .filter { turn in
                    guard state.suspects.suspicions[turn] != nil else { return false }
                    state.suspects.forget(turn)
                    return true
                }
        }
        if !known.isEmpty { self.marks.forget(known) }
    }

    /// The events of a stage whose turns have crash counts.
    package func suspects(of stage: Stage) -> Set<RecordPosition> {
        self.state.withLock { state in
            Set(state.suspects.suspicions.keys.lazy.filter { $0.stage == stage }.map(\.position))
        }
    }

    /// The number of turns with a crash count: they were running when a process crashed, and are not done yet.
    package var suspectCount: Int { self.state.withLock { $0.suspects.suspicions.count } }

    /// Whether any turn has a crash count.
    package var hasSuspects: Bool { self.isSuspicious.load(ordering: .acquiring) }

    /// Those of the given events of a stage whose turns have crash counts.
    package func suspects(of stage: Stage, among events: Set<RecordPosition>) -> Set<RecordPosition> {
        self.state.withLock { state in
            events.filter { event in
                state.suspects.suspicions[TurnKey(stage, event)] != nil
                    || state.suspects.suspicions[TurnKey(stage, event, isReading: true)] != nil
            }
        }
    }

    /// Returns when earlier drops are visible to the next process as well.
    package func settle() async { await self.marks.settle() }

    /// Reads an event under a mark of its own.
    package func read(_ stored: StoredRecord, of stage: Stage, in slot: Slot?) async -> TurnInput {
        let pass = await self.enter(TurnKey(stage, stored.position, isReading: true), in: slot)
        defer { self.leave(pass) }
        return TurnInput(stored, crash: pass.verdict)
    }

    // MARK: Admission

    private func wait(_ turn: TurnKey, surplus: Int?) async -> Int {
        let number = self.state.withLock { $0.gate.claimNumber() }
        await withCheckedContinuation { continuation in
            let consequences = self.state.withLock { state in
                state.waiting[number] = continuation
                if let surplus {
                    state.serial += 1
                    state.soloists[number] = Soloist(turn: turn, surplus: surplus, serial: state.serial)
                }
                return self.apply(state.gate.enter(number, isSolo: surplus != nil), &state)
            }
            self.carryOut(consequences)
        }
        if surplus == nil { self.state.withLock { _ in self.mark(number, TurnMark(turn, .ordinary)) } }
        return number
    }

    /// Records what a transition of the gate requires.
    private func apply(_ action: SoloGate.Action, _ state: inout State) -> Consequences {
        var consequences = Consequences()
        if let soloist = action.soloist, let who = state.soloists[soloist.number] {
            self.mark(soloist.number, TurnMark(who.turn, soloist.isAlone ? .alone : .solo))
            let duration = Self.timeAlone * (1 << min(who.surplus, 8))
            consequences.timers.append(
                Timer(number: soloist.number, serial: who.serial, duration: duration, end: .beingAlone)
            )
        }
        if let number = action.waiting, let who = state.soloists[number] {
            consequences.timers.append(
                Timer(number: number, serial: who.serial, duration: Self.waitLimit, end: .waiting)
            )
        }
        if !state.gate.isOpen, state.closedSince == nil { state.closedSince = self.clock.uptime }
        if action.rests {
            let rest = self.clock.uptime - (state.closedSince ?? self.clock.uptime)
            state.closedSince = nil
            consequences.timers.append(Timer(number: 0, serial: 0, duration: rest, end: .rest))
        }
        consequences.admitted = action.admitted.compactMap { state.waiting.removeValue(forKey: $0) }
        return consequences
    }

    private func carryOut(_ consequences: Consequences) {
        for continuation in consequences.admitted { continuation.resume() }
        for timer in consequences.timers {
            Task {
                guard (try? await self.clock.sleep(for: timer.duration)) != nil else { return }
                self.end(timer)
            }
        }
    }

    private func end(_ timer: Timer) {
        let consequences = self.state.withLock { state -> Consequences in
            if case .rest = timer.end { return self.apply(state.gate.endRest(), &state) }
            guard let who = state.soloists[timer.number], who.serial == timer.serial else { return Consequences() }
            switch timer.end {
            case .rest, .waiting: return self.apply(state.gate.stopWaiting(timer.number), &state)
            case .beingAlone:
                self.mark(timer.number, TurnMark(who.turn, .ordinary))
                return self.apply(state.gate.endSolo(timer.number), &state)
            }
        }
        self.carryOut(consequences)
    }

    /// Only the holder of a number changes its mark; where a number may change hands, the caller has the lock on the state.
    private func mark(_ number: Int, _ mark: TurnMark?) {
        if number < self.marks.capacity { self.marks.set(mark, at: number) }
    }
}
