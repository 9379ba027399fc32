/// Lets turns in: many side by side, or one under suspicion alone (R56).
///
/// A value without tasks: who owns it waits and wakes. Turns are known by numbers, which are given out again.
struct SoloGate {
    /// How a number stands.
    private enum Standing {
        /// Nobody has the number. Goes to `waiting`, `running` or `solo`.
        case free
        /// Not let in yet. Goes to `running` or `solo`.
        case waiting
        /// Runs beside others. Goes to `free`, or to `stubborn` when one who is to run alone will wait no longer.
        case running
        /// Runs, and is not waited for. Goes to `free`.
        case stubborn
        /// The one who is alone: it waits for others to end, or runs. Goes to `free`, or to `stubborn` when its time alone
        /// is over.
        case solo(isRunning: Bool)
    }

    /// What is to be done after a transition.
    struct Action: Hashable {
        /// Who may go on now.
        var admitted: [Int] = []
        /// Who waits for the others to end, from now on for so long as it is given.
        var waiting: Int?
        /// Whether the gate rests from now on: it stays open for as long as it was closed.
        var rests = false
        /// Who runs alone, from now on for so long as it is given, and whether nothing at all runs beside it.
        var soloist: Soloist?
    }

    /// One who was let in alone.
    struct Soloist: Hashable {
        /// Its number.
        var number: Int
        /// Whether nothing runs beside it.
        var isAlone: Bool
    }

    private var standings: [Standing] = []
    private var free: [Int] = []
    private var running = 0
    private var stubborn = 0
    private var solo: Int?
    private var isResting = false
    private var soloQueue: [Int] = []
    private var queue: [Int] = []

    /// Whether who may run beside others is let in at once.
    var isOpen: Bool { self.solo == nil }

    /// A number that nobody has.
    mutating func claimNumber() -> Int {
        if let number = self.free.popLast() { return number }
        self.standings.append(.free)
        return self.standings.count - 1
    }

    /// Somebody wants in with a number of its own.
    mutating func enter(_ number: Int, isSolo: Bool) -> Action {
        if isSolo {
            self.standings[number] = .waiting
            self.soloQueue.append(number)
            return self.solo == nil && !self.isResting ? self.admitNext() : Action()
        }
        guard self.solo == nil else {
            self.standings[number] = .waiting
            self.queue.append(number)
            return Action()
        }
        self.standings[number] = .running
        self.running += 1
        return Action(admitted: [number])
    }

    /// Somebody who was let in is done: its number is given out again.
    mutating func leave(_ number: Int) -> Action {
        defer { self.free.append(number) }
        let standing = self.standings[number]
        self.standings[number] = .free
        switch standing {
        case .free, .waiting:
            preconditionFailure("who leaves was let in")
        case .running:
            self.running -= 1
            guard let solo = self.solo, self.running == 0 else { return Action() }
            return self.begin(solo)
        case .stubborn:
            self.stubborn -= 1
            return Action()
        case .solo:
            return self.open()
        }
    }

    /// Who wants to be alone has waited for as long as it was given.
    mutating func stopWaiting(_ number: Int) -> Action {
        guard self.solo == number, case .solo(isRunning: false) = self.standings[number] else { return Action() }
        for other in self.standings.indices {
            if case .running = self.standings[other] { self.standings[other] = .stubborn }
        }
        self.stubborn += self.running
        self.running = 0
        return self.begin(number)
    }

    /// Who is alone has been it for as long as it was given: others run beside it from now on.
    mutating func endSolo(_ number: Int) -> Action {
        guard self.solo == number, case .solo(isRunning: true) = self.standings[number] else { return Action() }
        self.standings[number] = .stubborn
        self.stubborn += 1
        return self.open()
    }

    /// The gate has been open for long enough: the next one may close it.
    mutating func endRest() -> Action {
        self.isResting = false
        return self.solo == nil ? self.admitNext() : Action()
    }

    /// Lets in who has waited while somebody was alone.
    private mutating func open() -> Action {
        self.solo = nil
        self.isResting = true
        let admitted = self.queue
        for number in admitted { self.standings[number] = .running }
        self.running += admitted.count
        self.queue = []
        return Action(admitted: admitted, rests: true)
    }

    /// Has the next one who is to be alone wait for the others to end, if there is one.
    private mutating func admitNext() -> Action {
        guard !self.soloQueue.isEmpty else { return Action() }
        let next = self.soloQueue.removeFirst()
        self.solo = next
        self.standings[next] = .solo(isRunning: false)
        return self.running == 0 ? self.begin(next) : Action(waiting: next)
    }

    private mutating func begin(_ number: Int) -> Action {
        if case .solo(isRunning: true) = self.standings[number] { return Action() }
        self.standings[number] = .solo(isRunning: true)
        return Action(
            admitted: [number],
            soloist: Soloist(number: number, isAlone: self.stubborn == 0)
        )
    }
}
