internal import Foundation
internal import GRDB
internal import IntentRuntime

/// The table that says of which partitions a file of put away state holds all of it.
enum KeptPartitions {
    /// The newest format that may be in a file: of the entries that lanes put away, and of the tables.
    ///
    /// A file that names a newer one is thrown away: it is a copy, and the topic says what this version can read.
    static let version = RecordFormats.current.reads.upperBound

    /// Makes the table, empty.
    static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE kept (
                    partition INTEGER NOT NULL PRIMARY KEY, position INTEGER NOT NULL, chain TEXT NOT NULL,
                    deployment TEXT NOT NULL, at REAL NOT NULL
                )
                """
        )
    }

    /// What the table says, if it is this deployment's and recent enough.
    static func read(
        _ database: Database,
        of deployment: String,
        noOlderThan age: Duration
    ) throws -> [Int: KeptPartition] {
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 <= Self.version else { return [:] }
        let select = try PreparedStatement(
            database,
            "SELECT partition, position, chain FROM kept WHERE deployment = ? AND at BETWEEN ? AND ?"
        )
        let now = Date().timeIntervalSince1970
        try select.bind(deployment, at: 1)
        try select.bind(number: now - age / .seconds(1), at: 2)
        try select.bind(number: now, at: 3)
        defer { select.reset() }
        var kept: [Int: KeptPartition] = [:]
        while try select.step() {
            kept[Int(select.integer(0) ?? 0)] = KeptPartition(
                position: select.integer(1) ?? 0,
                chain: select.text(2) ?? ""
            )
        }
        return kept
    }

    /// Empties the table before anything else is written.
    static func forget(_ database: Database) throws {
        try Self.onDisk(database) { try database.execute(sql: "DELETE FROM kept") }
    }

    /// Fills the table after everything else was written.
    static func write(
        _ partitions: [Int: KeptPartition],
        of deployment: String,
        to database: Database
    ) throws {
        // What was written without waiting goes to the disk first, with a write that changes nothing: after a power
        // failure nothing may be said that is not so.
        try Self.onDisk(database) { try database.execute(sql: "PRAGMA user_version = \(Self.version)") }
        try Self.onDisk(database) {
            try database.beginTransaction(.immediate)
            let insert = try PreparedStatement(database, "INSERT INTO kept VALUES (?, ?, ?, ?, ?)")
            for (partition, kept) in partitions {
                try insert.bind(Int64(partition), at: 1)
                try insert.bind(kept.position, at: 2)
                try insert.bind(kept.chain, at: 3)
                try insert.bind(deployment, at: 4)
                try insert.bind(number: Date().timeIntervalSince1970, at: 5)
                try insert.run()
            }
            try database.commit()
        }
    }

    /// Runs a transaction that is on the disk when it ends, with everything that was written before.
    private static func onDisk(_ database: Database, _ body: () throws -> Void) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try body()
        try database.execute(sql: "PRAGMA synchronous = OFF")
    }
}
