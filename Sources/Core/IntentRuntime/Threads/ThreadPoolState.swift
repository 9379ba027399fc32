/// Which threads of ``TurnThreads`` take jobs, and which are held by one.
///
/// This is a value without threads: its owner does the waiting and waking. At most `width` threads are working or starting.
/// A thread that stays in one job while other jobs wait no longer counts: another one takes its place.
///
/// | a thread is | goes to |
/// |---|---|
/// | starting: it was started or woken | working, when a job waits and there is room; idle |
/// | working | working on the next job; idle, when none waits; held, when it is at the same job in two checks |
/// | held: it no longer counts | working on the next job, when there is room; idle |
/// | idle | added, when a job waits and there is room; removed, after a while, if there are more than `width` |
struct ThreadPoolState {
    /// What a thread does.
    enum Phase: Equatable {
        /// It was started or woken, and has not asked for a job yet.
        case starting
        /// It works on a job, which it took after that many checks.
        case working(since: Int)
        /// It has been in one job for so long that another thread takes its place.
        case held
        /// It waits to be woken.
        case idle
    }

    /// How one more thread is brought to work.
    enum Activation: Equatable {
        /// An idle one is woken.
        case wake(Int)
        /// A new one with this number is started.
        case start(Int)
    }

    /// How many threads work at once.
    let width: Int
    /// How many threads there may be.
    let limit: Int
    /// The threads, by number.
    private(set) var phases: [Int: Phase] = [:]
    /// The idle threads; the one that has been idle for the shortest time last, since its memory is in the caches.
    private var idle: [Int] = []
    private var working = 0
    private var starting = 0
    private var checks = 0
    private var lastNumber = 0

    init(width: Int, limit: Int) {
        self.width = width
        self.limit = max(width, limit)
    }

    /// Whether the pool must be checked soon: jobs wait, and no thread takes them.
    func needsCheck(waiting: Int) -> Bool { waiting > self.starting }

    /// Whether a thread that is idle for long may go.
    var hasSurplus: Bool { self.phases.count > self.width }

    // MARK: Transitions

    /// Brings a thread to work if that many jobs wait and there is room; nil if not.
    mutating func activate(waiting: Int) -> Activation? {
        guard self.starting < waiting, self.working + self.starting < self.width else { return nil }
        if let thread = self.idle.popLast() {
            self.phases[thread] = .starting
            self.starting += 1
            return .wake(thread)
        }
        guard self.phases.count < self.limit else { return nil }
        self.lastNumber += 1
        self.phases[self.lastNumber] = .starting
        self.starting += 1
        return .start(self.lastNumber)
    }

    /// A thread has no job: it has come, its job has ended, or it was woken.
    ///
    /// - Returns: Whether it takes one of the waiting jobs; otherwise it is idle.
    mutating func take(_ thread: Int, waiting: Int) -> Bool {
        self.clear(thread)
        guard waiting > 0, self.working < self.width else {
            self.phases[thread] = .idle
            self.idle.append(thread)
            return false
        }
        self.phases[thread] = .working(since: self.checks)
        self.working += 1
        return true
    }

    /// Checks whether jobs wait although threads have been in theirs since before the last check: these are held now.
    mutating func check(waiting: Int) {
        self.checks += 1
        guard waiting > 0 else { return }
        for (thread, phase) in self.phases {
            guard case .working(let since) = phase, self.checks - since >= 2 else { continue }
            self.phases[thread] = .held
            self.working -= 1
        }
    }

    /// A thread has been idle for a while.
    ///
    /// - Returns: Whether it goes; not if it was woken meanwhile, or if no others are left.
    mutating func leave(_ thread: Int) -> Bool {
        guard self.phases[thread] == .idle, self.hasSurplus else { return false }
        self.remove(thread)
        return true
    }

    /// A thread has ended, or could not be started.
    mutating func remove(_ thread: Int) {
        self.clear(thread)
        self.phases[thread] = nil
    }

    private mutating func clear(_ thread: Int) {
        switch self.phases[thread] {
        case .starting: self.starting -= 1
        case .working: self.working -= 1
        case .idle: self.idle.removeAll { $0 == thread }
        case .held, nil: break
        }
    }
}
