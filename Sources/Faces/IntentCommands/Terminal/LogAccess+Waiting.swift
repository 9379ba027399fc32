import IntentOperations
import IntentRuntime

extension LogAccess {
    /// Works on the log as `use` does, for a command that waits: it says when the broker goes, and when it is back.
    func useWaiting<Value>(_ body: (any EventLog) async throws -> Value) async throws -> Value {
        try await self.use { log in
            let watch = BrokerWatch(log) { StandardError.report($0.description) }
            let watching = Task { await watch.run() }
            defer { watching.cancel() }
            return try await body(log)
        }
    }
}
