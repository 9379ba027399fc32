internal import Dispatch
import Synchronization

/// The threads of ``TurnThreads`` and the jobs that wait for them.
final class ThreadPool: Sendable {
    /// A job and the executor whose job it is.
    private struct Job {
        var job: UnownedJob
        var executor: UnownedTaskExecutor

        func run() { self.job.runSynchronously(on: self.executor) }
    }

    /// The waiting jobs, first in, first out.
    private struct JobQueue {
        private var added: [Job] = []
        /// The oldest ones, the next one last.
        private var next: [Job] = []

        var count: Int { self.added.count + self.next.count }

        mutating func append(_ job: Job) { self.added.append(job) }

        mutating func popFirst() -> Job? {
            if self.next.isEmpty {
                self.next = self.added.reversed()
                self.added.removeAll(keepingCapacity: true)
            }
            return self.next.popLast()
        }
    }

    /// What a thread does next.
    private enum Step {
        case run(Job)
        case rest(isSurplus: Bool)
        case end
    }

    /// What is to be done after the lock on the state is released.
    private struct Consequences {
        var woken: [DispatchSemaphore] = []
        var started: [(number: Int, semaphore: DispatchSemaphore)] = []
        var isWatchBegun = false
    }

    private struct State {
        var threads: ThreadPoolState
        var jobs = JobQueue()
        /// What each thread waits at while it is idle.
        var semaphores: [Int: DispatchSemaphore] = [:]
        /// Whether the watching thread checks the threads at intervals.
        var isWatched = false
        var isStopping = false

        /// Brings threads to the waiting jobs, and has them watched if jobs have to wait nevertheless.
        mutating func activate() -> Consequences {
            var consequences = Consequences()
            while let activation = self.threads.activate(waiting: self.jobs.count) {
                switch activation {
                case .wake(let number): consequences.woken += [self.semaphores[number]].compactMap(\.self)
                case .start(let number):
                    let semaphore = DispatchSemaphore(value: 0)
                    self.semaphores[number] = semaphore
                    consequences.started.append((number, semaphore))
                }
            }
            consequences.isWatchBegun = self.beginWatch()
            return consequences
        }

        /// Has the threads watched, if that is needed now and was not before.
        ///
        /// - Returns: Whether the watching thread has to be woken.
        mutating func beginWatch() -> Bool {
            guard !self.isWatched, self.threads.needsCheck(waiting: self.jobs.count) else { return false }
            self.isWatched = true
            return true
        }
    }

    private let state: Mutex<State>
    /// Wakes the watching thread.
    private let alarm = DispatchSemaphore(value: 0)
    /// The time between two checks: a job that takes up to two such intervals holds its thread.
    private let checkInterval: Duration
    /// After which time a surplus thread ends.
    private let idleTimeout: Duration

    /// Makes a pool without threads, except for the one that checks it.
    init(width: Int, limit: Int, checkInterval: Duration, idleTimeout: Duration) {
        self.state = Mutex(State(threads: ThreadPoolState(width: width, limit: limit)))
        self.checkInterval = checkInterval
        self.idleTimeout = idleTimeout
        let isStarted = NamedThread.start("intentd-watch") { self.watch() }
        precondition(isStarted, "The system does not allow this process another thread.")
    }

    /// The threads, by number.
    var phases: [Int: ThreadPoolState.Phase] { self.state.withLock(\.threads.phases) }

    func add(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
        self.carryOut(
            self.state.withLock { state in
                state.jobs.append(Job(job: job, executor: executor))
                return state.activate()
            }
        )
    }

    /// Lets all threads end; no job is added any more.
    func stop() {
        let semaphores = self.state.withLock { state in
            state.isStopping = true
            return Array(state.semaphores.values)
        }
        for semaphore in semaphores { semaphore.signal() }
        self.alarm.signal()
    }

    private func carryOut(_ consequences: Consequences) {
        for semaphore in consequences.woken { semaphore.signal() }
        for (number, semaphore) in consequences.started {
            if NamedThread.start("intentd-turns", { self.work(number, semaphore) }) { continue }
            // The watching thread tries again.
            let isWatchBegun = self.state.withLock { state in
                state.semaphores[number] = nil
                state.threads.remove(number)
                return state.beginWatch()
            }
            if isWatchBegun { self.alarm.signal() }
        }
        if consequences.isWatchBegun { self.alarm.signal() }
    }

    // MARK: Threads

    /// What a thread does: jobs, as long as there are any.
    private func work(_ number: Int, _ semaphore: DispatchSemaphore) {
        while true {
            let (step, isWatchBegun) = self.state.withLock { state -> (Step, Bool) in
                let takes = state.threads.take(number, waiting: state.jobs.count)
                if takes, let job = state.jobs.popFirst() { return (.run(job), state.beginWatch()) }
                guard !state.isStopping else {
                    state.threads.remove(number)
                    return (.end, false)
                }
                return (.rest(isSurplus: state.threads.hasSurplus), state.beginWatch())
            }
            if isWatchBegun { self.alarm.signal() }
            switch step {
            case .run(let job): job.run()
            case .rest(isSurplus: false): semaphore.wait()
            case .rest(isSurplus: true):
                guard semaphore.wait(timeout: .now() + self.idleTimeout / .seconds(1)) == .timedOut else { continue }
                let leaves = self.state.withLock { state in
                    guard state.threads.leave(number) else { return false }
                    state.semaphores[number] = nil
                    return true
                }
                if leaves { return }
            case .end: return
            }
        }
    }

    /// What the watching thread does: while jobs wait, it checks whether threads are held.
    private func watch() {
        while !self.state.withLock(\.isStopping) {
            self.alarm.wait()
            repeat { _ = self.alarm.wait(timeout: .now() + self.checkInterval / .seconds(1)) } while self.check()
        }
    }

    /// Checks the threads.
    ///
    /// - Returns: Whether they have to be checked again.
    private func check() -> Bool {
        let (consequences, continues) = self.state.withLock { state -> (Consequences, Bool) in
            state.threads.check(waiting: state.jobs.count)
            state.isWatched = false
            var consequences = state.activate()
            let continues = consequences.isWatchBegun
            consequences.isWatchBegun = false
            return (consequences, continues)
        }
        self.carryOut(consequences)
        return continues
    }
}
