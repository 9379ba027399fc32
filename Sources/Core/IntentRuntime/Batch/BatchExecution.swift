import Synchronization

/// Runs the users of a batch concurrently, and parks turns that take too long (R3 to R5).
///
/// A few worker tasks each take one user after the other and run the user's turns in order. As long as users wait, one
/// worker task is kept in reserve: it gets a thread as soon as a handler suspends, or another thread is free. So turns
/// whose handlers do not suspend share a task, and those that do suspend delay no other.
///
/// A run is waiting, then with a worker task, then over. A parked run keeps its worker task, and another one takes that
/// task's place.
///
/// The worker tasks run on the threads for turns (``TurnThreads``), the batch itself does not: whatever handlers do, it
/// parks, commits and continues.
final class BatchExecution: Sendable {
    /// A task that runs users' turns one after the other.
    final class WorkerTask: Sendable {
        private let state = Mutex<Task<Void, Never>?>(nil)

        /// Starts to work.
        ///
        /// - Parameters:
        ///   - threads: Where its turns run; nil for the threads on which Swift runs all tasks.
        ///   - body: The work.
        func start(on threads: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void) {
            let task = Task(executorPreference: threads) { await body() }
            self.state.withLock { $0 = task }
        }

        /// The task; after its run is parked, it serves only that run.
        var task: Task<Void, Never>? { self.state.withLock { $0 } }
    }

    private struct State {
        /// Runs that have not started, the next one last.
        var waiting: [UserRun]
        /// Runs that are neither finished nor parked.
        var open: Int
        /// How many more worker tasks there may be.
        var availableTasks: Int
        /// Whether there is a worker task that has not started.
        var hasSpare = false
        /// The batch, while it waits for the runs.
        var waiter: CheckedContinuation<Void, Never>?
        /// Whether the time is up for which the batch waits.
        var isTimeUp = false

        /// Reserves another worker task, if there should be one.
        mutating func claimSpare() -> Bool {
            guard !self.hasSpare, self.availableTasks > 0, !self.waiting.isEmpty else { return false }
            self.hasSpare = true
            self.availableTasks -= 1
            return true
        }
    }

    /// How many users a worker task takes before another one takes its place.
    ///
    /// Users whose handlers do not suspend take some 20 µs each. So the thread comes back soon, and one that does not is
    /// held by a handler that blocks.
    private static let usersOfTask = 32

    private let runs: [UserRun]
    private let settings: RuntimeSettings
    private let clock: any RuntimeClock
    private let threads: (any TaskExecutor)?
    private let crashes: CrashWatch?
    private let state: Mutex<State>

    /// Prepares to run them, at most `handlerConcurrency` at once.
    init(_ runs: [UserRun], in environment: StageEnvironment) {
        self.runs = runs
        self.settings = environment.settings
        self.clock = environment.clock
        self.threads = environment.threads
        self.crashes = environment.crashes
        let availableTasks = environment.settings.handlerConcurrency
        self.state = Mutex(State(waiting: runs.reversed(), open: runs.count, availableTasks: availableTasks))
    }

    /// Runs them all until each is finished or parked; the tasks of parked ones continue.
    func execute() async {
        let began = self.clock.uptime
        self.addWorkerIfNeeded()
        var wait = self.settings.parkAfter
        while await !self.waitForRuns(upTo: wait) {
            let now = self.clock.uptime
            // A turn that began shortly after the wait has not run quite as long; it gets no second wait.
            let limit = now - began >= self.settings.batchMaxDelay ? Duration.zero : self.settings.parkAfter / 2
            for run in self.runs where run.park(after: limit, now: now) {
                self.close(freesTask: true)
                self.addWorkerIfNeeded()
            }
            // Some turns cannot be parked: checking for their end without a pause would keep a core busy.
            wait = max(self.settings.parkAfter, .milliseconds(1))
        }
    }

    private func addWorkerIfNeeded() {
        if self.state.withLock({ $0.claimSpare() }) { self.addWorker() }
    }

    private func addWorker() {
        let worker = WorkerTask()
        worker.start(on: self.threads) { await self.work(as: worker) }
    }

    /// The work of a worker task: it takes runs while there are any, up to its share.
    private func work(as worker: WorkerTask) async {
        self.state.withLock { $0.hasSpare = false }
        var share = Self.usersOfTask
        // Taken with the first run: once for all turns of the task.
        var slot: CrashWatch.Slot?
        defer { self.crashes?.returnSlot(slot) }
        while true {
            let (next, needsSpare) = self.state.withLock { state -> (UserRun?, Bool) in
                let next = share > 0 ? state.waiting.popLast() : nil
                if next == nil { state.availableTasks += 1 }
                return (next, state.claimSpare())
            }
            if needsSpare { self.addWorker() }
            guard let next else { return }
            if share == Self.usersOfTask { slot = self.crashes?.takeSlot() }
            share -= 1
            // The batch itself has closed a run that it parked, and has given the task's place away.
            guard await next.execute(on: worker, slot: slot) else { return }
            self.close(freesTask: false)
        }
    }

    /// One run is over for this batch.
    private func close(freesTask: Bool) {
        let waiter = self.state.withLock { state in
            state.open -= 1
            if freesTask { state.availableTasks += 1 }
            return state.open == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Waits until all runs are over or the time is up.
    ///
    /// - Returns: Whether all are over.
    private func waitForRuns(upTo duration: Duration) async -> Bool {
        guard self.state.withLock({ $0.open > 0 }) else { return true }
        let timer = Task {
            try? await self.clock.sleep(for: duration)
            guard !Task.isCancelled else { return }
            self.state.withLock { state in
                state.isTimeUp = true
                return state.waiter.take()
            }?
            .resume()
        }
        await withCheckedContinuation { continuation in
            let isOver = self.state.withLock { state in
                if state.open == 0 || state.isTimeUp { return true }
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        timer.cancel()
        return self.state.withLock { state in
            state.isTimeUp = false
            return state.open == 0
        }
    }
}
