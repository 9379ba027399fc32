internal import Foundation
internal import GRDB
internal import IntentEvents
internal import IntentRuntime

/// The record database through queries that anybody can make.
struct RecordTables {
    /// A row of `events`.
    struct EventRow: Equatable {
        var topic: String
        var partition: Int
        var offset: Int64
        var key: [UInt8]?
        var value: [UInt8]?
    }

    private let connection: DatabaseQueue

    /// Opens the database of this seed's recorders.
    init(_ name: String) throws { self.connection = try DatabaseQueue(named: name) }

    /// The next offset of each partition.
    func offsets() throws -> [String: Int64] {
        try self.connection.inDatabase { database in
            let rows = try Row.fetchAll(database, sql: "SELECT topic, partition, next FROM offsets")
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    ("\(row[0] as String)/\(row[1] as Int)", row[2] as Int64? ?? 0)
                }
            )
        }
    }

    /// All rows of `events`, in order.
    func events() throws -> [EventRow] {
        try self.connection.inDatabase { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT topic, partition, "offset", CAST(key AS BLOB), CAST(value AS BLOB) FROM events
                    ORDER BY topic, partition, "offset"
                    """
            )
            .map { row in
                EventRow(
                    topic: row[0],
                    partition: row[1],
                    offset: row[2],
                    key: (row[3] as Data?).map { [UInt8]($0) },
                    value: (row[4] as Data?).map { [UInt8]($0) }
                )
            }
        }
    }

    /// The ids of the acts in the operators' log, sorted.
    func acts() throws -> [String] {
        try self.connection.inDatabase { database in
            try String.fetchAll(database, sql: "SELECT id FROM operator_actions").sorted()
        }
    }

    /// For each interaction: its request, the number of its terminal responses, and its end reason.
    func interactions() throws -> [RequestID: (terminal: Int, endReason: String?)] {
        try self.connection.inDatabase { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT partition, \"offset\", terminal_responses, end_reason FROM interactions"
            )
            var interactions: [RequestID: (terminal: Int, endReason: String?)] = [:]
            for row in rows {
                interactions["\(row[0] as Int):\(row[1] as Int64)"] = (terminal: row[2], endReason: row[3])
            }
            return interactions
        }
    }
}
