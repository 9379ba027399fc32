internal import GRDB

extension DatabaseQueue {
    /// Runs the body on the connection's dispatch queue, outside Swift's cooperative pool, and waits without blocking.
    ///
    /// Unlike GRDB's own asynchronous access it is not interrupted by cancellation: what has begun is finished.
    /// - Throws: ``StoreBusyError`` and ``StoreError`` for what SQLite reports; what the body throws besides.
    func onItsQueue<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            self.asyncWriteWithoutTransaction { database in
                continuation.resume(with: Result { try body(database) }.mapError(StoreError.translating))
            }
        }
    }
}
