internal import Foundation

/// The threads on which handlers run, apart from those on which Swift runs all other tasks of a process.
///
/// A handler may block its thread: it waits for a lock, or calls a library that knows nothing of tasks. Swift's own pool
/// has a thread for each core and never more, so a few such handlers would stop the process with all its lanes, timers
/// and clients. Here one thread fewer works than there are cores, at least one, since lanes run beside them: with one for
/// each core, a turn took 9 % more processor time. A thread that stays in one job for 5 to 10 ms while others wait no
/// longer counts: another one takes its place, up to 256. Jobs beyond that wait until a handler returns. A thread beyond
/// those that work ends when it is not needed for 5 s.
package final class TurnThreads: TaskExecutor {
    /// How many threads there are at most.
    static let limit = 256

    let pool: ThreadPool

    /// Makes the executor of a process.
    package convenience init() { self.init(width: max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) }

    init(
        width: Int,
        limit: Int = TurnThreads.limit,
        checkInterval: Duration = .milliseconds(5),
        idleTimeout: Duration = .seconds(5)
    ) {
        self.pool = ThreadPool(width: width, limit: limit, checkInterval: checkInterval, idleTimeout: idleTimeout)
    }

    deinit { self.pool.stop() }

    package func enqueue(_ job: consuming ExecutorJob) {
        self.pool.add(UnownedJob(job), for: self.asUnownedTaskExecutor())
    }
}
