import Synchronization

/// What waits for the broker's loop; everything that has gathered is taken at once, and so shares one commit.
final class JobQueue: Sendable {
    /// One thing to do.
    enum Job: Sendable {
        /// Decode a request's body, handle it and answer it; the lease is on its memory.
        case request(WireReader, ByteLease, RequestContext, ReplyTarget)
        /// A connection is gone.
        case closed(connection: UInt64)
        /// End the broker.
        case stop
    }

    private struct State {
        var jobs: [Job] = []
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Has the closure called whenever the first job has come since all were taken; at once if there are some.
    func onArrival(_ wake: @escaping @Sendable () -> Void) {
        let isThere = self.state.withLock { state in
            state.wake = wake
            return !state.jobs.isEmpty
        }
        if isThere { wake() }
    }

    /// Adds jobs; any thread may.
    func add(_ added: [Job]) {
        let wake = self.state.withLock { state in
            defer { state.jobs.append(contentsOf: added) }
            return state.jobs.isEmpty ? state.wake : nil
        }
        wake?()
    }

    /// Takes all jobs.
    func drain() -> [Job] {
        self.state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
