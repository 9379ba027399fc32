internal import Synchronization

/// Runs something that may never end, up to a time limit.
enum TimeLimit {
    /// Runs the body in a task of its own; when the time is up, the task is cancelled and left alone.
    ///
    /// - Returns: The body's value; nil when it took too long.
    static func run<Value: Sendable>(
        _ limit: Duration,
        _ body: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        let race = Race<Value>()
        let task = Task { race.end(await body()) }
        let timer = Task {
            try await Task.sleep(for: limit)
            task.cancel()
            race.end(nil)
        }
        let value = await withCheckedContinuation { race.wait($0) }
        timer.cancel()
        return value
    }

    private final class Race<Value: Sendable>: Sendable {
        private enum State {
            /// Goes to either of the other states.
            case running
            /// Goes to `over`.
            case waiting(CheckedContinuation<Value?, Never>)
            /// Final.
            case over(Value?)
        }

        private let state = Mutex(State.running)

        func wait(_ continuation: CheckedContinuation<Value?, Never>) {
            let value: Value?? = self.state.withLock { state in
                switch state {
                case .over(let value): return .some(value)
                case .running, .waiting:
                    state = .waiting(continuation)
                    return nil
                }
            }
            if let value { continuation.resume(returning: value) }
        }

        func end(_ value: Value?) {
            let waiter = self.state.withLock { state -> CheckedContinuation<Value?, Never>? in
                switch state {
                case .running:
                    state = .over(value)
                    return nil
                case .waiting(let waiter):
                    state = .over(value)
                    return waiter
                case .over: return nil
                }
            }
            waiter?.resume(returning: value)
        }
    }
}
