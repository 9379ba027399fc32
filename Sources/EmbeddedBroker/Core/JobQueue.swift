import Dispatch
import Synchronization

/// What waits for the broker's thread; everything that has gathered is taken at once, and so shares one commit.
final class JobQueue: Sendable {
    /// One thing to do.
    enum Job: Sendable {
        /// Decode a request's body, handle it and answer it; the lease is on its memory.
        case request(WireReader, ByteLease, RequestContext, ReplyTarget)
        /// A connection is gone.
        case closed(connection: UInt64)
        /// End the thread.
        case stop
    }

    private let jobs = Mutex<[Job]>([])
    private let signal = DispatchSemaphore(value: 0)

    /// Adds jobs; any thread may.
    func add(_ added: [Job]) {
        let wasEmpty = self.jobs.withLock { jobs in
            defer { jobs.append(contentsOf: added) }
            return jobs.isEmpty
        }
        if wasEmpty { self.signal.signal() }
    }

    /// Takes all jobs, waiting for the first one so many milliseconds at most.
    func takeAll(waiting milliseconds: Int64?) -> [Job] {
        let timeout = milliseconds.map { DispatchTime.now() + .milliseconds(Int(max(0, $0))) } ?? .distantFuture
        _ = self.signal.wait(timeout: timeout)
        return self.jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }
}
