import Synchronization

/// Stops waiting for calls that cannot be interrupted.
enum Watchdog {
    /// Runs `body` and returns its result, or nil once `limit` has passed; `body` then continues unobserved.
    static func run<Value: Sendable>(limit: Duration, _ body: @escaping @Sendable () async -> Value) async -> Value? {
        let race = Race<Value>()
        let timer = Task {
            if (try? await Task.sleep(for: limit)) != nil { race.end(nil) }
        }
        return await race.result {
            let value = await body()
            timer.cancel()
            return value
        }
    }

    /// Runs `body` and returns its result, or nil once the calling task is cancelled; `body` then continues unobserved.
    static func runUntilCancelled<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let race = Race<Value>()
        return await withTaskCancellationHandler {
            await race.result(of: body)
        } onCancel: {
            race.end(nil)
        }
    }

    /// Ends once, with the first result.
    private final class Race<Value: Sendable>: Sendable {
        private enum State {
            case open
            case awaited(CheckedContinuation<Value?, Never>)
            case over
        }

        private let state = Mutex(State.open)

        /// Awaits `body`, or whatever ends the race before it.
        func result(of body: @escaping @Sendable () async -> Value) async -> Value? {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if case .over = state { return true }
                    state = .awaited(continuation)
                    return false
                }
                if isOver { return continuation.resume(returning: nil) }
                Task { self.end(await body()) }
            }
        }

        func end(_ value: Value?) {
            let continuation: CheckedContinuation<Value?, Never>? = self.state.withLock { state in
                defer { state = .over }
                guard case .awaited(let continuation) = state else { return nil }
                return continuation
            }
            continuation?.resume(returning: value)
        }
    }
}
