import Synchronization

/// Returns in time even if a thread hangs.
///
/// librdkafka's calls have time-outs of their own; this is for the case that one is not kept.
enum Watchdog {
    /// Runs `body` and returns its result, or nil once `limit` has passed; `body` then continues unobserved.
    static func run<Value: Sendable>(
        limit: Duration,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let race = Race(continuation)
            let timer = Task {
                if (try? await Task.sleep(for: limit)) != nil {
                    race.end(nil)
                }
            }
            Task {
                let value = await body()
                timer.cancel()
                race.end(value)
            }
        }
    }

    /// Resumes a continuation once, for the first caller.
    private final class Race<Value: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ continuation: CheckedContinuation<Value?, Never>) {
            self.continuation = Mutex(continuation)
        }

        func end(_ value: Value?) {
            let continuation = self.continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            continuation?.resume(returning: value)
        }
    }
}
