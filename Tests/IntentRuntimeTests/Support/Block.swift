import Dispatch
import Synchronization

/// Blocks the threads that wait for it until it is released, for at most half a minute: a test that fails ends
/// nevertheless.
final class Block: Sendable {
    private struct State {
        var blocked = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes those that wait for as many threads as are blocked now.
        mutating func popReached() -> [CheckedContinuation<Void, Never>] {
            defer { self.waiters.removeAll { $0.count <= self.blocked } }
            return self.waiters.filter { $0.count <= self.blocked }.map(\.continuation)
        }
    }

    private let semaphore = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    /// How many threads are blocked now.
    var blocked: Int { self.state.withLock(\.blocked) }

    /// Blocks the thread.
    func wait() {
        let reached = self.state.withLock { state in
            state.blocked += 1
            return state.popReached()
        }
        for continuation in reached { continuation.resume() }
        _ = self.semaphore.wait(timeout: .now() + 30)
        self.state.withLock { $0.blocked -= 1 }
        // The next one continues, too.
        self.semaphore.signal()
    }

    /// Returns when that many threads are blocked.
    func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let reached = self.state.withLock { state in
                state.waiters.append((count, continuation))
                return state.popReached()
            }
            for continuation in reached { continuation.resume() }
        }
    }

    /// Lets all threads continue, now and later.
    func release() { self.semaphore.signal() }
}
