import Synchronization

/// Returns when a thread that may hang does not.
///
/// librdkafka's calls have time-outs of their own; this is for the day on which one does not keep it.
enum Watchdog {
    /// Runs `body` and returns its result, or nil once `limit` has passed; `body` then goes on for nobody.
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

    /// Resumes a continuation once, for whoever comes first.
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
