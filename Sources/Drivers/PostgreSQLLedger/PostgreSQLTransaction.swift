#if PostgreSQL
internal import IntentKit

/// A connection with an open transaction, as bodies of effects and reads see it.
final class PostgreSQLTransaction: StoreTransaction {
    private let connection: PostgreSQLConnection
    /// The first error of a statement: PostgreSQL refuses everything after it, so the body has failed.
    private var failure: (any Error)?

    /// Runs a body on a connection that has a transaction open.
    /// - Throws: The error of a statement, even if the body catches it; what the body throws.
    static func run(
        _ body: (any StoreTransaction) throws -> JSONValue,
        _ connection: PostgreSQLConnection
    ) throws -> JSONValue {
        let transaction = PostgreSQLTransaction(connection)
        let result = Result { try body(transaction) }
        if let failure = transaction.failure, failure is PostgreSQLFailure || (try? result.get()) != nil {
            throw failure
        }
        return try result.get()
    }

    private init(_ connection: PostgreSQLConnection) { self.connection = connection }

    /// Runs a statement and returns how many rows it changed.
    /// - Throws: `StoreError`, ``StoreBusyError``.
    @discardableResult
    func execute(_ sql: String, _ arguments: [JSONValue]) throws -> Int {
        try self.noting { try self.run(sql, arguments).changedRows }
    }

    /// Runs a query and returns its rows, each by column name.
    /// - Throws: `StoreError`, ``StoreBusyError``.
    func query(_ sql: String, _ arguments: [JSONValue]) throws -> [JSONObject] {
        try self.noting { try self.run(sql, arguments).rows() }
    }

    private func run(_ sql: String, _ arguments: [JSONValue]) throws -> PostgreSQLResult {
        if let failure = self.failure { throw failure }
        try StatementKeyword.check(sql, StatementKeyword.ofPostgreSQL)
        return try self.connection.run(sql, arguments)
    }

    private func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            if !self.connection.isInTransaction { self.failure = self.failure ?? error }
            throw error
        }
    }
}
#endif
