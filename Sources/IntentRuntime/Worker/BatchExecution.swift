import Synchronization

/// Runs the users of a batch side by side, and parks what takes too long (R3 to R5).
///
/// A few workers, each a task, take user after user and run their turns one after the other. As long as a user waits, there is
/// one worker that has not begun: it gets a thread as soon as a handler suspends, or another thread is free. So turns whose
/// handlers do not suspend share a task, and those that do hold nobody up.
///
/// A run is waiting, then with a worker, then over; one that is parked keeps its worker for itself, and another one takes
/// that worker's place.
final class BatchExecution: Sendable {
    /// A task that runs users' turns one after the other.
    final class Worker: Sendable {
        private let state = Mutex<Task<Void, Never>?>(nil)

        /// Begins to work.
        func start(_ body: @escaping @Sendable () async -> Void) {
            let task = Task { await body() }
            self.state.withLock { $0 = task }
        }

        /// The task: when its run is parked, that run's alone.
        var task: Task<Void, Never>? { self.state.withLock { $0 } }
    }

    private struct State {
        /// Runs that have not begun, the next one last.
        var waiting: [UserRun]
        /// Runs that are neither finished nor parked.
        var open: Int
        /// How many more workers there may be.
        var places: Int
        /// Whether there is a worker that has not begun.
        var hasSpare = false
        /// The batch, while it waits for the runs.
        var waiter: CheckedContinuation<Void, Never>?
        /// Whether the time has passed for which the batch waits.
        var isTimeUp = false

        /// Whether another worker is to be made, which counts from now on.
        mutating func claimSpare() -> Bool {
            guard !self.hasSpare, self.places > 0, !self.waiting.isEmpty else { return false }
            self.hasSpare = true
            self.places -= 1
            return true
        }
    }

    private let runs: [UserRun]
    private let settings: RuntimeSettings
    private let clock: any RuntimeClock
    private let state: Mutex<State>

    /// Prepares to run them, at most `handlerConcurrency` at once.
    init(_ runs: [UserRun], settings: RuntimeSettings, clock: any RuntimeClock) {
        self.runs = runs
        self.settings = settings
        self.clock = clock
        self.state = Mutex(State(waiting: runs.reversed(), open: runs.count, places: settings.handlerConcurrency))
    }

    /// Runs them all until each is finished or parked; the tasks of parked ones go on.
    func execute() async {
        let began = self.clock.uptime
        self.addWorkerIfNeeded()
        var wait = self.settings.parkAfter
        while await !self.waitForRuns(upTo: wait) {
            let now = self.clock.uptime
            // A turn that began a moment after the wait did has not run quite as long; it is not given another round.
            let patience = now - began >= self.settings.batchMaxDelay ? Duration.zero : self.settings.parkAfter / 2
            for run in self.runs where run.park(after: patience, now: now) {
                self.close(freesPlace: true)
                self.addWorkerIfNeeded()
            }
            // Some may not be parked: to look for their end without a pause would keep a core busy.
            wait = max(self.settings.parkAfter, .milliseconds(1))
        }
    }

    private func addWorkerIfNeeded() {
        if self.state.withLock({ $0.claimSpare() }) { self.addWorker() }
    }

    private func addWorker() {
        let worker = Worker()
        worker.start { await self.work(as: worker) }
    }

    /// What a worker does: takes runs while there are any.
    private func work(as worker: Worker) async {
        self.state.withLock { $0.hasSpare = false }
        while true {
            let (next, needsSpare) = self.state.withLock { state -> (UserRun?, Bool) in
                guard let next = state.waiting.popLast() else {
                    state.places += 1
                    return (nil, false)
                }
                return (next, state.claimSpare())
            }
            guard let next else { return }
            if needsSpare { self.addWorker() }
            // The batch itself has closed a run that it parked, and given its worker's place away.
            guard await next.execute(on: worker) else { return }
            self.close(freesPlace: false)
        }
    }

    /// One run is over for this batch.
    private func close(freesPlace: Bool) {
        let waiter = self.state.withLock { state in
            state.open -= 1
            if freesPlace { state.places += 1 }
            return state.open == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Waits until all runs are over or the time has passed.
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
