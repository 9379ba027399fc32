internal import Synchronization

/// Ends what waits when the gateway shuts down, so that its clients are answered and continue on another replica.
package final class Drain: Sendable {
    private struct State {
        var hasBegun = false
        var lastID: UInt64 = 0
        /// What ends each wait.
        var waits: [UInt64: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the gateway shuts down.
    var hasBegun: Bool { self.state.withLock(\.hasBegun) }

    /// Ends all waits, and those that follow.
    package func begin() {
        let waits = self.state.withLock { state in
            state.hasBegun = true
            return state.waits.values
        }
        for end in waits { end() }
    }

    /// The result of a wait; nil when the gateway shuts down first, which cancels it.
    package func race<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let (results, continuation) = AsyncStream.makeStream(of: Value.self)
        let task = Task {
            continuation.yield(await body())
            continuation.finish()
        }
        let end: @Sendable () -> Void = {
            task.cancel()
            continuation.finish()
        }
        let id = self.state.withLock { state -> UInt64? in
            guard !state.hasBegun else { return nil }
            state.lastID += 1
            state.waits[state.lastID] = end
            return state.lastID
        }
        guard let id else {
            end()
            return nil
        }
        defer { _ = self.state.withLock { $0.waits.removeValue(forKey: id) } }
        return await withTaskCancellationHandler {
            for await result in results { return result }
            return nil
        } onCancel: {
            end()
        }
    }
}
