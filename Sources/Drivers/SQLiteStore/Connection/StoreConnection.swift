internal import Dispatch
internal import Foundation
package import GRDB
internal import IntentKit

/// How intentd opens its database files.
package enum StoreConnection {
    /// The pause before a busy lock is tried again.
    ///
    /// SQLite's own handler sleeps up to 100 ms a time, and starves beside a process that writes without pause.
    private static let busyPause: Duration = .milliseconds(2)

    /// The SQL function that makes texts comparable as `String.matchingKey` does (R25).
    ///
    /// `WHERE matching_key(name) = matching_key(?)`; NULL for a value that is no text.
    private static let matchingKey = DatabaseFunction("matching_key", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0])?.matchingKey
    }

    /// The configuration that all connections share.
    /// - Parameters:
    ///   - label: Names the connection's queue, for debuggers.
    ///   - busyTimeout: How long to wait for a lock of another connection.
    ///   - isReadOnly: Whether the file is opened for reading only.
    ///   - pragmas: SQL that is run on the new connection.
    /// - Returns: The configuration.
    package static func configuration(
        label: String,
        busyTimeout: Duration = .seconds(5),
        isReadOnly: Bool = false,
        pragmas: String
    ) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = isReadOnly
        let tries = Int(busyTimeout / Self.busyPause)
        configuration.busyMode = .callback { tried in
            guard tried < tries else { return false }
            Thread.sleep(forTimeInterval: Self.busyPause / .seconds(1))
            return true
        }
        // Otherwise GRDB ends the process if a rollback ever fails; here the next transaction first tries again.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            database.add(function: Self.matchingKey)
            try database.execute(sql: pragmas)
        }
        return configuration
    }

    /// Runs work that may wait for a lock or a disk on a thread outside Swift's cooperative pool.
    package static func offload<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "intentd.store.open")
                .async {
                    continuation.resume(with: Result { try body() })
                }
        }
    }
}
