/// Which scenarios the processes of a run play, when some of them may crash.
///
/// It starts no process: it says what the next one plays; the caller reports how that one ended.
package struct ScenarioRounds: Sendable {
    /// A scenario's state.
    package enum State: Sendable {
        /// Goes to `playing`.
        case waiting
        /// Goes to `finished` by its result. When the process crashes, goes to `suspect` if the scenario may be the
        /// cause, and to `dead` if no other one may be; when the process ends otherwise, to `waiting`.
        case playing
        /// Goes to `playing` with half of the suspects; to `waiting` when the cause is among others.
        case suspect
        /// Final: it has a result.
        case finished
        /// Final: its process died of it.
        case dead
    }

    /// The most processes of one run.
    package static let limit = 50

    package private(set) var states: [State]
    /// The number of processes that have been started.
    package private(set) var processes = 0

    /// Begins with so many scenarios, all of which wait.
    package init(count: Int) { self.states = Array(repeating: .waiting, count: count) }

    /// The scenarios in a state.
    package func indices(in state: State) -> [Int] { self.states.indices.filter { self.states[$0] == state } }

    /// The scenarios that the next process plays: half of the suspects, or all that wait; nil when there are none, or too
    /// many processes have been started.
    package mutating func next() -> [Int]? {
        guard self.processes < Self.limit else { return nil }
        let suspects = self.indices(in: .suspect)
        let round = suspects.isEmpty ? self.indices(in: .waiting) : Array(suspects.prefix((suspects.count + 1) / 2))
        guard !round.isEmpty else { return nil }
        for index in round { self.states[index] = .playing }
        self.processes += 1
        return round
    }

    /// Notes that a scenario has a result.
    package mutating func finish(_ index: Int) {
        guard self.states[index] == .playing else { return }
        self.states[index] = .finished
    }

    /// Notes that the process has ended, or was killed: what has no result is played again.
    package mutating func end() {
        for index in self.indices(in: .playing) { self.states[index] = .waiting }
    }

    /// Notes that the process has crashed.
    ///
    /// - Parameter marked: The scenarios of the turns that it was running. Without any, each that it played may be the
    ///   cause.
    /// - Returns: The scenario of which it died; nil when that is not known yet.
    package mutating func die(marked: Set<Int>) -> Int? {
        let playing = self.indices(in: .playing)
        let running = playing.filter(marked.contains)
        let suspects = running.isEmpty ? playing : running
        for index in playing + self.indices(in: .suspect) { self.states[index] = .waiting }
        guard suspects.count == 1 else {
            for index in suspects { self.states[index] = .suspect }
            return nil
        }
        self.states[suspects[0]] = .dead
        return suspects[0]
    }
}
