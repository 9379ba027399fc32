/// Admits turns: many side by side, or one suspect turn alone (R56).
///
/// This is a value without tasks: its owner does the waiting and waking. Turns are identified by numbers, which are
/// reused.
struct SoloGate {
    private enum Status {
        /// The number is free.
        ///
        /// Goes to `waiting`, `running` or `solo`.
        case free
        /// Not admitted yet.
        ///
        /// Goes to `running` or `solo`.
        case waiting
        /// Runs beside others.
        ///
        /// Goes to `free`, or to `stubborn` when a turn that is to run alone stops waiting for it.
        case running
        /// Runs, and no other turn waits for it.
        ///
        /// Goes to `free`.
        case unresponsive
        /// The turn that is alone: it waits for others to end, or runs.
        ///
        /// Goes to `free`, or to `stubborn` when its time alone is over.
        case solo(isRunning: Bool)
    }

    /// What is to be done after a transition.
    struct Action: Hashable {
        /// The turns that may continue now.
        var admitted: [Int] = []
        /// The turn that waits for the others to end; its time for that starts now.
        var waiting: Int?
        /// Whether the gate rests from now on: it stays open for as long as it was closed.
        var rests = false
        /// The turn that runs alone; its time for that starts now.
        var soloist: Soloist?
    }

    /// A turn that was admitted alone.
    struct Soloist: Hashable {
        var number: Int
        /// Whether nothing runs beside it.
        var isAlone: Bool
    }

    private var statuses: [Status] = []
    private var free: [Int] = []
    private var running = 0
    private var unresponsive = 0
    private var solo: Int?
    private var isResting = false
    private var soloQueue: [Int] = []
    private var queue: [Int] = []

    /// Whether an ordinary turn is admitted at once.
    var isOpen: Bool { self.solo == nil }

    /// Returns a free number.
    mutating func claimNumber() -> Int {
        if let number = self.free.popLast() { return number }
        self.statuses.append(.free)
        return self.statuses.count - 1
    }

    /// A turn asks for admission with its number.
    mutating func enter(_ number: Int, isSolo: Bool) -> Action {
        if isSolo {
            self.statuses[number] = .waiting
            self.soloQueue.append(number)
            return self.solo == nil && !self.isResting ? self.admitNext() : Action()
        }
        guard self.solo == nil else {
            self.statuses[number] = .waiting
            self.queue.append(number)
            return Action()
        }
        self.statuses[number] = .running
        self.running += 1
        return Action(admitted: [number])
    }

    /// An admitted turn has ended: its number becomes free.
    mutating func leave(_ number: Int) -> Action {
        defer { self.free.append(number) }
        let status = self.statuses[number]
        self.statuses[number] = .free
        switch status {
        case .free, .waiting:
            preconditionFailure("a turn leaves only after it was admitted")
        case .running:
            self.running -= 1
            guard let solo = self.solo, self.running == 0 else { return Action() }
            return self.begin(solo)
        case .unresponsive:
            self.unresponsive -= 1
            return Action()
        case .solo:
            return self.open()
        }
    }

    /// The time is up for which a turn that is to be alone waits for others.
    mutating func stopWaiting(_ number: Int) -> Action {
        guard self.solo == number, case .solo(isRunning: false) = self.statuses[number] else { return Action() }
        for other in self.statuses.indices {
            if case .running = self.statuses[other] { self.statuses[other] = .unresponsive }
        }
        self.unresponsive += self.running
        self.running = 0
        return self.begin(number)
    }

    /// The time is up for which a turn is alone: others run beside it from now on.
    mutating func endSolo(_ number: Int) -> Action {
        guard self.solo == number, case .solo(isRunning: true) = self.statuses[number] else { return Action() }
        self.statuses[number] = .unresponsive
        self.unresponsive += 1
        return self.open()
    }

    /// The gate has been open for long enough: the next suspect turn may close it.
    mutating func endRest() -> Action {
        self.isResting = false
        return self.solo == nil ? self.admitNext() : Action()
    }

    /// Admits the turns that waited while another one was alone.
    private mutating func open() -> Action {
        self.solo = nil
        self.isResting = true
        let admitted = self.queue
        for number in admitted { self.statuses[number] = .running }
        self.running += admitted.count
        self.queue = []
        return Action(admitted: admitted, rests: true)
    }

    /// Makes the next turn that is to be alone wait for the others to end, if there is one.
    private mutating func admitNext() -> Action {
        guard !self.soloQueue.isEmpty else { return Action() }
        let next = self.soloQueue.removeFirst()
        self.solo = next
        self.statuses[next] = .solo(isRunning: false)
        return self.running == 0 ? self.begin(next) : Action(waiting: next)
    }

    private mutating func begin(_ number: Int) -> Action {
        if case .solo(isRunning: true) = self.statuses[number] { return Action() }
        self.statuses[number] = .solo(isRunning: true)
        return Action(admitted: [number], soloist: Soloist(number: number, isAlone: self.unresponsive == 0))
    }
}
