import Synchronization

/// The jobs that wait for the broker's loop; the loop drains them all at once, so they share one commit.
final class JobQueue: Sendable {
    enum Job: Sendable {
        /// Decode a request's body, handle it and answer it; the lease covers its memory.
        case request(WireReader, ByteLease, RequestContext, ReplyTarget)
        case closed(connection: UInt64)
        /// End the broker.
        case stop
    }

    private struct State {
        var jobs: [Job] = []
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Registers a closure that is called for the first job after each drain; called at once if there are jobs.
    ///
    /// The queue holds the closure until another one or nil replaces it.
    func onArrival(_ wake: (@Sendable () -> Void)?) {
        let isThere = self.state.withLock { state in
            state.wake = wake
            return !state.jobs.isEmpty
        }
        if isThere { wake?() }
    }

    /// Adds jobs, from any thread.
    func add(_ added: [Job]) {
        let wake = self.state.withLock { state in
            defer { state.jobs.append(contentsOf: added) }
            return state.jobs.isEmpty ? state.wake : nil
        }
        wake?()
    }

    /// Removes and returns all jobs.
    func drain() -> [Job] {
        self.state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
