import Foundation

/// The jobs that wait for a thread, and the thread's loop.
///
/// `@unchecked Sendable`: every stored property is read and written only while `condition` is locked, and jobs run
/// after it was unlocked.
final class ThreadJobs: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [Job] = []
    private var phase = Phase.running
    private var whenEnded: [CheckedContinuation<Void, Never>] = []

    private struct Job {
        var job: UnownedJob
        var executor: UnownedSerialExecutor
    }

    /// Who runs the jobs.
    private enum Phase {
        /// The thread runs the jobs. Goes to `stopping`.
        case running
        /// The thread does, and ends when none is left. Goes to `ended`.
        case stopping
        /// The next caller that adds a job runs it.
        ///
        /// Goes to `draining`.
        case ended
        /// The caller that added the first job runs all jobs, one after another.
        ///
        /// Goes back to `ended`.
        case draining
    }

    /// Adds a job.
    ///
    /// After the thread has ended the job runs here and now, unless another thread is running one: callers of a closed
    /// actor still get their answer.
    func add(_ job: UnownedJob, for executor: UnownedSerialExecutor) {
        self.condition.lock()
        self.jobs.append(Job(job: job, executor: executor))
        switch self.phase {
        case .running, .stopping:
            self.condition.signal()
            self.condition.unlock()
        case .draining:
            self.condition.unlock()
        case .ended:
            self.phase = .draining
            while let next = self.popFirst() {
                self.condition.unlock()
                next.job.runSynchronously(on: next.executor)
                self.condition.lock()
            }
            self.phase = .ended
            self.condition.unlock()
        }
    }

    /// The thread's body: runs jobs in order until ``stop()`` was called and none is left.
    func run() {
        self.condition.lock()
        while true {
            if let next = self.popFirst() {
                self.condition.unlock()
                next.job.runSynchronously(on: next.executor)
                self.condition.lock()
            } else if case .stopping = self.phase {
                break
            } else {
                self.condition.wait()
            }
        }
        self.phase = .ended
        let waiting = self.whenEnded
        self.whenEnded = []
        self.condition.unlock()
        for continuation in waiting { continuation.resume() }
    }

    /// Lets the thread end when it has nothing left to do.
    func stop() {
        self.condition.lock()
        if case .running = self.phase { self.phase = .stopping }
        self.condition.signal()
        self.condition.unlock()
    }

    /// Returns when the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            self.condition.lock()
            switch self.phase {
            case .running, .stopping:
                self.whenEnded.append(continuation)
                self.condition.unlock()
            case .ended, .draining:
                self.condition.unlock()
                continuation.resume()
            }
        }
    }

    /// The oldest job; called with the lock held.
    private func popFirst() -> Job? { self.jobs.isEmpty ? nil : self.jobs.removeFirst() }
}
