import Synchronization

/// One of a batch's workers: a task that runs users' turns one after the other.
final class BatchWorker: Sendable {
    private let state = Mutex<Task<Void, Never>?>(nil)

    /// Begins to work.
    func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        self.state.withLock { $0 = task }
    }

    /// The task: when its run is parked, that run's alone.
    var task: Task<Void, Never>? { self.state.withLock { $0 } }
}
