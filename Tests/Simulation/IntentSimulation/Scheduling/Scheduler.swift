internal import CSimulationHooks
internal import IntentLab
internal import IntentRuntime

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Runs every task of the process on one thread, one step at a time, in an order derived from a seed.
///
/// A step is what a task does from one suspension to the next. The scheduler has a time of its own: it advances a
/// little with each step, and when nothing can run it advances to the next sleeper.
///
/// `@unchecked Sendable`: everything is done by the thread that made the first scheduler; ``enqueue(_:)``, which is
/// where another thread would come in, ends the process if it is another one.
final class Scheduler: @unchecked Sendable {
    /// The scheduler that currently receives the jobs of the Swift runtime.
    ///
    /// `nonisolated(unsafe)`: used by one thread alone, see above.
    nonisolated(unsafe) private static var current: Scheduler?
    nonisolated(unsafe) private static var thread: pthread_t?

    /// A seed that takes more steps than this is in an endless loop.
    private static let mostSteps = 2_000_000

    private struct Step {
        var job: UnsafeMutableRawPointer
        var process: SimulatedProcess
    }

    /// The time since the beginning, in microseconds.
    private(set) var now: Int64 = 0
    /// The number of steps.
    private(set) var steps = 0
    /// A digest of every choice so far: two runs of a seed have the same.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The process of the current step.
    private(set) var process: SimulatedProcess
    /// The simulation itself: its tasks are neither paused nor killed.
    let world = SimulatedProcess(name: "world", incarnation: 0)
    /// The largest duration of a step, in microseconds.
    var longestStep: Int64 = 40

    private var random: SeededNumbers
    private var ready: [Step] = []
    private var owners: [UInt64: SimulatedProcess] = [:]
    private var timers = TimerQueue()
    private var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var sleeps = 0

    /// The scheduler that was created last.
    static var running: Scheduler { Self.current! }

    /// Creates a scheduler that receives all jobs from now on.
    init(seed: UInt64) {
        self.random = SeededNumbers(seed: seed, stream: 1)
        self.process = self.world
        if Self.thread == nil {
            Self.thread = pthread_self()
            simulation_take_jobs { Scheduler.current!.enqueue($0) }
        }
        Self.current = self
    }

    // MARK: Jobs

    private func enqueue(_ job: UnsafeMutableRawPointer) {
        precondition(
            pthread_equal(Self.thread!, pthread_self()) != 0,
            "A job comes from outside the simulation's thread."
        )
        // A task belongs to the process that created it, whoever resumes it later.
        let task = simulation_task_of_job(job)
        let process = self.owners[task] ?? self.process
        self.owners[task] = process
        switch process.phase {
        case .running: self.ready.append(Step(job: job, process: process))
        case .paused, .dead: process.held.append(job)
        }
    }

    /// Does something as part of a process: tasks that it creates belong to that process.
    func perform<Value>(as process: SimulatedProcess, _ body: () throws -> Value) rethrows -> Value {
        let outer = self.process
        self.process = process
        defer { self.process = outer }
        return try body()
    }

    /// Creates a task of a process.
    func spawn(in process: SimulatedProcess, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        self.perform(as: process) { Task { await body() } }
    }

    /// Runs until the condition holds or the time is over; the condition is checked when nothing can run at once.
    ///
    /// - Returns: Whether it holds.
    func run(for duration: Duration, until isDone: () -> Bool = { false }) -> Bool {
        let end = self.now + duration.milliseconds * 1_000
        while true {
            while !self.ready.isEmpty {
                self.step()
                if self.steps > Self.mostSteps { return false }
            }
            if isDone() { return true }
            guard let next = self.timers.next, next <= end else { break }
            self.now = max(self.now, next)
            self.fire()
        }
        self.now = max(self.now, end)
        return isDone()
    }

    private func step() {
        let index = Int(self.random.next() % UInt64(self.ready.count))
        let step = self.ready[index]
        self.ready[index] = self.ready[self.ready.count - 1]
        self.ready.removeLast()
        self.steps += 1
        self.now += Int64(self.random.next() % UInt64(self.longestStep + 1))
        self.record(UInt64(index))
        self.record(UInt64(truncatingIfNeeded: self.now))
        self.process = step.process
        simulation_run_job(step.job)
        self.process = self.world
        while let next = self.timers.next, next <= self.now { self.fire() }
    }

    /// Adds to the fingerprint.
    func record(_ value: UInt64) { self.fingerprint = (self.fingerprint ^ value) &* 0x0000_0100_0000_01B3 }

    // MARK: Processes

    /// Stops a process; its next jobs are held.
    func pause(_ process: SimulatedProcess) {
        guard case .running = process.phase else { return }
        process.phase = .paused
        self.hold(process)
    }

    /// Lets a paused process continue.
    func resume(_ process: SimulatedProcess) {
        guard case .paused = process.phase else { return }
        process.phase = .running
        self.release(process)
    }

    /// Ends a process between two of its steps.
    func kill(_ process: SimulatedProcess) {
        process.phase = .dead
        self.hold(process)
    }

    private func hold(_ process: SimulatedProcess) {
        process.held += self.ready.filter { $0.process === process }.map(\.job)
        self.ready.removeAll { $0.process === process }
    }

    private func release(_ process: SimulatedProcess) {
        self.ready += process.held.map { Step(job: $0, process: process) }
        process.held = []
    }

    // MARK: Time

    /// Waits; a task that is cancelled meanwhile waits no longer.
    func sleep(for duration: Duration) async throws {
        self.sleeps += 1
        let id = self.sleeps
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    self.sleepers[id] = continuation
                    self.at(duration) { self.sleepers.removeValue(forKey: id)?.resume() }
                }
            }
        } onCancel: {
            self.sleepers.removeValue(forKey: id)?.resume(throwing: CancellationError())
        }
    }

    /// Yields for a while, cancelled or not.
    func rest(for duration: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            self.at(duration) { continuation.resume() }
        }
    }

    /// Schedules a closure, as part of the simulation itself.
    func at(_ duration: Duration, _ body: @escaping () -> Void) {
        let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        self.timers.insert(at: self.now + max(0, microseconds), body)
    }

    private func fire() {
        guard let body = self.timers.popFirst() else { return }
        self.perform(as: self.world, body)
    }

    // MARK: The end

    /// Ends every task, including those of dead processes, so that nothing of the seed stays in memory.
    func drain(_ processes: [SimulatedProcess]) {
        for process in processes {
            process.phase = .running
            self.release(process)
        }
        for _ in 0..<100_000 {
            while !self.ready.isEmpty { self.step() }
            guard self.timers.next != nil else { break }
            self.fire()
        }
    }
}
