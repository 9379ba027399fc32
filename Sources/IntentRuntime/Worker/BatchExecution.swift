import Synchronization

/// Runs the users of a batch side by side, and parks what takes too long (R3 to R5).
final class BatchExecution: Sendable {
    private struct State {
        /// Runs that have not begun, the next one last.
        var waiting: [UserRun]
        /// Runs that are neither finished nor parked.
        var open: Int
        /// How many more runs may begin.
        var slots: Int
        /// The batch, while it waits for the runs.
        var waiter: CheckedContinuation<Void, Never>?
        /// Whether the time has passed for which the batch waits.
        var isTimeUp = false
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
        self.state = Mutex(State(waiting: runs.reversed(), open: runs.count, slots: settings.handlerConcurrency))
    }

    /// Runs them all until each is finished or parked; the tasks of parked ones go on.
    func execute() async {
        let began = self.clock.uptime
        self.startWaiting()
        var wait = self.settings.parkAfter
        while await !self.waitForRuns(upTo: wait) {
            let now = self.clock.uptime
            // A turn that began a moment after the wait did has not run quite as long; it is not given another round.
            let patience = now - began >= self.settings.batchMaxDelay ? Duration.zero : self.settings.parkAfter / 2
            for run in self.runs where run.park(after: patience, now: now) { self.close() }
            // Some may not be parked: to look for their end without a pause would keep a core busy.
            wait = max(self.settings.parkAfter, .milliseconds(1))
        }
    }

    /// Begins runs while there are free places.
    private func startWaiting() {
        while true {
            let next = self.state.withLock { state -> UserRun? in
                guard state.slots > 0, let run = state.waiting.popLast() else { return nil }
                state.slots -= 1
                return run
            }
            guard let next else { return }
            next.start { isParked in
                // The batch itself has closed a run that it parked.
                if !isParked { self.close() }
            }
        }
    }

    /// One run is over for this batch: another may begin.
    private func close() {
        let waiter = self.state.withLock { state in
            state.open -= 1
            state.slots += 1
            return state.open == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
        self.startWaiting()
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
