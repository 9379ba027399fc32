package import GRDB
internal import IntentKit

extension DatabaseQueue {
    /// Runs the body on the connection's dispatch queue, outside Swift's cooperative pool, and waits without blocking.
    ///
    /// Unlike GRDB's own asynchronous access it is not interrupted by cancellation: once begun, the work is finished.
    /// - Throws: ``StoreBusyError`` and `StoreError` for errors of SQLite; what the body throws besides.
    package func onItsQueue<Value: Sendable>(
        _ access: StoreAccess = .ownQueue,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        if case .inline(let before) = access {
            await before()
            return try self.inline(body).get()
        }
        return try await withCheckedThrowingContinuation { continuation in
            self.asyncWriteWithoutTransaction { database in
                continuation.resume(with: Result { try body(database) }.mapError(StoreError.translating))
            }
        }
    }

    private func inline<Value: Sendable>(_ body: (Database) throws -> Value) -> Result<Value, any Error> {
        Result { try self.writeWithoutTransaction(body) }.mapError(StoreError.translating)
    }
}

/// Where a connection does its work.
package enum StoreAccess: Sendable {
    /// On the connection's own dispatch queue, which blocks no other thread.
    case ownQueue
    /// On the caller's thread: for simulations, in which one thread does everything.
    ///
    /// `before` is awaited first, so that other steps can happen before a transaction.
    case inline(before: @Sendable () async -> Void)
}
