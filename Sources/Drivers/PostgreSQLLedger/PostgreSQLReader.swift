#if PostgreSQL
internal import Dispatch
internal import IntentKit

/// The connection that reads, with a queue of its own.
///
/// `@unchecked Sendable`: the connection is used on the queue alone.
final class PostgreSQLReader: @unchecked Sendable {
    private let connect: @Sendable () throws -> PostgreSQLConnection
    private let queue = DispatchQueue(label: "intentd.store.read")
    private var connection: PostgreSQLConnection?

    /// Makes a reader, which connects when it is needed.
    init(connect: @escaping @Sendable () throws -> PostgreSQLConnection) { self.connect = connect }

    /// Runs a body in a transaction with one view of the database, which cannot write.
    ///
    /// A connection that has broken since its last use is replaced once: a read can run again.
    /// - Throws: ``StoreBusyError`` when the server is unavailable; `StoreError`; what the body throws.
    func read(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> JSONValue) async throws -> JSONValue {
        try await withCheckedThrowingContinuation { continuation in
            self.queue.async {
                let isFresh = self.connection == nil
                var result = Result { try self.run(body) }
                if !isFresh, case .failure(let failure as PostgreSQLFailure) = result, failure.kind == .lost {
                    result = Result { try self.run(body) }
                }
                continuation.resume(
                    with: result.mapError { error in
                        (error as? PostgreSQLFailure).map { StoreBusyError($0.description) } ?? error
                    }
                )
            }
        }
    }

    private func run(_ body: (PostgreSQLConnection) throws -> JSONValue) throws -> JSONValue {
        let connection = try self.connection ?? self.connect()
        self.connection = connection
        defer {
            if !connection.isLost { _ = try? connection.script("ROLLBACK") }
            if connection.isLost { self.connection = nil }
        }
        try connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return try body(connection)
    }
}
#endif
