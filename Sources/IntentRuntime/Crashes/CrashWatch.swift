package import IntentEvents
import Synchronization

/// Marks the turns that run in this process, and has those under suspicion run alone (R56).
///
/// One a process: alone means alone in it, whichever stage and lane the turns are of.
package final class CrashWatch: Sendable {
    /// How long one who is to be alone waits for others to end.
    package static let patience = Duration.seconds(2)
    /// For how long others wait for one who is alone.
    ///
    /// Twice as long after each death that was one too many. As long as the gate was closed, it stays open then.
    package static let timeAlone = Duration.seconds(2)

    /// What somebody was let in with.
    package struct Pass: Sendable {
        /// The verdict under which the turn ends; nil for one that runs.
        package let verdict: CrashVerdict?
        fileprivate let number: Int?
    }

    /// One who is to run alone.
    private struct Soloist {
        var place: TurnPlace
        /// How many deaths more it has than it takes.
        var surplus: Int
        /// Tells it from others who have had its number.
        var serial: Int
    }

    /// A time that begins.
    private struct Timer {
        var number: Int
        var serial: Int
        var duration: Duration
        var end: End

        /// What ends with it.
        enum End {
            /// The soloist's patience.
            case waiting
            /// The soloist's time alone.
            case beingAlone
            /// The gate's rest.
            case rest
        }
    }

    /// What is to be done once the state is let go of.
    private struct Consequences {
        var admitted: [CheckedContinuation<Void, Never>] = []
        var timers: [Timer] = []
    }

    private struct State {
        var gate = SoloGate()
        var suspects: SuspectTurns
        /// Who waits to be let in.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Who is under suspicion, by number.
        var soloists: [Int: Soloist] = [:]
        var serial = 0
        /// Since when the gate is closed, by the machine's uptime.
        var closedSince: Duration?
    }

    private let state: Mutex<State>
    private let marks: any CrashMarks
    private let clock: any RuntimeClock

    /// Watches over a process.
    ///
    /// - Parameters:
    ///   - suspects: Who was running when the processes before it died.
    ///   - marks: Where turns are marked.
    ///   - clock: By which turns wait for each other.
    package init(_ suspects: SuspectTurns, marks: any CrashMarks, clock: any RuntimeClock) {
        self.state = Mutex(State(suspects: suspects))
        self.marks = marks
        self.clock = clock
    }

    // MARK: Turns

    /// Marks a turn before it runs; waits while another one has to be alone, or for others if it has to be.
    package func enter(_ place: TurnPlace) async -> Pass {
        let (treatment, number) = self.state.withLock { state -> (SuspectTurns.Treatment, Int?) in
            let treatment = state.suspects.isEmpty ? .ordinary : state.suspects.treatment(of: place)
            guard treatment == .ordinary, state.gate.isOpen else { return (treatment, nil) }
            let number = state.gate.claimNumber()
            _ = state.gate.enter(number, isSolo: false)
            self.mark(number, TurnMark(place, .ordinary))
            return (treatment, number)
        }
        if let number { return Pass(verdict: nil, number: number) }
        switch treatment {
        case .condemned(let verdict): return Pass(verdict: verdict, number: nil)
        case .ordinary: return Pass(verdict: nil, number: await self.wait(place, surplus: nil))
        case .solo(let surplus): return Pass(verdict: nil, number: await self.wait(place, surplus: surplus))
        }
    }

    /// Takes a turn's mark away when it does not run any more.
    package func leave(_ pass: Pass) {
        guard let number = pass.number else { return }
        let consequences = self.state.withLock { state in
            self.mark(number, nil)
            state.soloists[number] = nil
            return self.apply(state.gate.leave(number), &state)
        }
        self.carryOut(consequences)
    }

    /// Turns were committed: nothing counts against them any more.
    package func forget(_ turns: some Sequence<TurnPlace>) {
        let known = self.state.withLock { state -> [TurnPlace] in
            guard !state.suspects.isEmpty else { return [] }
            return turns.flatMap { [$0, TurnPlace($0.stage, $0.position, isReading: true)] }
                .filter { place in
                    guard state.suspects.suspicions[place] != nil else { return false }
                    state.suspects.forget(place)
                    return true
                }
        }
        if !known.isEmpty { self.marks.forget(known) }
    }

    /// The events of a stage whose turns count for something.
    package func suspects(of stage: Stage) -> Set<RecordPosition> {
        self.state.withLock { state in
            Set(state.suspects.suspicions.keys.lazy.filter { $0.stage == stage }.map(\.position))
        }
    }

    /// How many turns something counts against: they were running when a process died, and are not done yet.
    package var suspectCount: Int { self.state.withLock { $0.suspects.suspicions.count } }

    /// Whether anything counts against any turn.
    package var hasSuspects: Bool { self.state.withLock { !$0.suspects.isEmpty } }

    /// Those of the events of a stage whose turns count for something.
    package func suspects(of stage: Stage, among events: Set<RecordPosition>) -> Set<RecordPosition> {
        self.state.withLock { state in
            events.filter { event in
                state.suspects.suspicions[TurnPlace(stage, event)] != nil
                    || state.suspects.suspicions[TurnPlace(stage, event, isReading: true)] != nil
            }
        }
    }

    /// Returns when what was forgotten is forgotten for the next process as well.
    package func settle() async { await self.marks.settle() }

    /// Reads an event under a mark of its own.
    package func read(_ stored: StoredRecord, of stage: Stage) async -> TurnInput {
        let pass = await self.enter(TurnPlace(stage, stored.position, isReading: true))
        defer { self.leave(pass) }
        return TurnInput(stored, crash: pass.verdict)
    }

    // MARK: Letting in

    private func wait(_ place: TurnPlace, surplus: Int?) async -> Int {
        let number = self.state.withLock { $0.gate.claimNumber() }
        await withCheckedContinuation { continuation in
            let consequences = self.state.withLock { state in
                state.waiting[number] = continuation
                if let surplus {
                    state.serial += 1
                    state.soloists[number] = Soloist(place: place, surplus: surplus, serial: state.serial)
                }
                return self.apply(state.gate.enter(number, isSolo: surplus != nil), &state)
            }
            self.carryOut(consequences)
        }
        if surplus == nil { self.state.withLock { _ in self.mark(number, TurnMark(place, .ordinary)) } }
        return number
    }

    /// Notes what a transition of the gate asks for.
    private func apply(_ action: SoloGate.Action, _ state: inout State) -> Consequences {
        var consequences = Consequences()
        if let soloist = action.soloist, let who = state.soloists[soloist.number] {
            self.mark(soloist.number, TurnMark(who.place, soloist.isAlone ? .alone : .solo))
            let duration = Self.timeAlone * (1 << min(who.surplus, 8))
            consequences.timers.append(
                Timer(number: soloist.number, serial: who.serial, duration: duration, end: .beingAlone)
            )
        }
        if let number = action.waiting, let who = state.soloists[number] {
            consequences.timers.append(
                Timer(number: number, serial: who.serial, duration: Self.patience, end: .waiting)
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
                self.mark(timer.number, TurnMark(who.place, .ordinary))
                return self.apply(state.gate.endSolo(timer.number), &state)
            }
        }
        self.carryOut(consequences)
    }

    /// The caller has the state's lock: a number's mark is its holder's alone.
    private func mark(_ number: Int, _ mark: TurnMark?) {
        if number < self.marks.capacity { self.marks.set(mark, at: number) }
    }
}
