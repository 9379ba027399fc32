import Synchronization

/// Blocks tasks until it is opened.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until it is open.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets all pass who wait, and whoever comes later.
    package func open() {
        let waiters = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Suspends until the task is cancelled, as the handler of a service that hangs.
/// - Throws: `CancellationError`, always.
package func hangUntilCancelled() async throws {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    // A cancelled task's stream ends; nothing else ends it.
    for await _ in stream {}
    continuation.finish()
    try Task.checkCancellation()
}
