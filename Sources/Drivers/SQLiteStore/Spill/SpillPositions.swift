internal import Foundation
internal import GRDB
internal import IntentRuntime

/// The table with the offsets up to which a file of evicted state is valid, by partition.
enum SpillPositions {
    /// The newest format that may be in a file: of the evicted entries, and of the tables.
    ///
    /// A file with a newer one is discarded: it is a copy, and the topic has everything that this version can read.
    static let version = RecordFormats.current.reads.upperBound

    /// The table with the offsets that each partition's chain head names.
    ///
    /// It is another table so that versions that do not know it can still write the first one.
    private static let readTable = "read_offsets"

    /// Makes the table, empty.
    ///
    /// Its name differs from that of earlier versions, which did not handle a loss of power.
    static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE positions (
                    partition INTEGER NOT NULL PRIMARY KEY, position INTEGER NOT NULL, chain TEXT NOT NULL,
                    deployment TEXT NOT NULL, at REAL NOT NULL, boot TEXT NOT NULL
                )
                """
        )
        try database.execute(sql: "PRAGMA user_version = \(Self.version)")
    }

    /// The table's contents, if they are this deployment's, recent enough, and the file is complete.
    ///
    /// - Parameters:
    ///   - database: The file.
    ///   - deployment: The deployment's id.
    ///   - age: The maximum age.
    /// - Returns: The positions, by partition.
    /// - Throws: `DatabaseError` when the table does not exist.
    static func read(
        _ database: Database,
        of deployment: String,
        noOlderThan age: Duration
    ) throws -> [Int: KeptPartition] {
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 <= Self.version else { return [:] }
        // A version that does not know the second table may have written the first one since.
        let read =
            try database.tableExists(Self.readTable)
            ? "(SELECT offsets FROM \(Self.readTable) WHERE partition = positions.partition AND chain = positions.chain)"
            : "NULL"
        let select = try PreparedStatement(
            database,
            """
            SELECT partition, position, chain, \(read) FROM positions
            WHERE deployment = ? AND at BETWEEN ? AND ? AND boot IN ('', ?)
            """
        )
        let now = Date().timeIntervalSince1970
        try select.bind(deployment, at: 1)
        try select.bind(number: now - age / .seconds(1), at: 2)
        try select.bind(number: now, at: 3)
        try select.bind(MachineStart.id, at: 4)
        defer { select.reset() }
        var kept: [Int: KeptPartition] = [:]
        while try select.step() {
            kept[Int(select.integer(0) ?? 0)] = KeptPartition(
                position: select.integer(1) ?? 0,
                chain: select.text(2) ?? "",
                read: select.text(3).flatMap(ReadOffsets.init(text:))
            )
        }
        return kept
    }

    /// Writes positions that are valid until the machine is rebooted.
    static func write(
        _ positions: [Int: KeptPartition],
        of deployment: String,
        age: Duration,
        to database: Database
    ) throws {
        guard !positions.isEmpty else { return }
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(Self.readTable) (
                    partition INTEGER NOT NULL PRIMARY KEY, chain TEXT NOT NULL, offsets TEXT
                )
                """
        )
        let insertRead = try PreparedStatement(database, "INSERT OR REPLACE INTO \(Self.readTable) VALUES (?, ?, ?)")
        let insert = try PreparedStatement(database, "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?, ?)")
        for (partition, kept) in positions {
            try insert.bind(Int64(partition), at: 1)
            try insert.bind(kept.position, at: 2)
            try insert.bind(kept.chain, at: 3)
            try insert.bind(deployment, at: 4)
            try insert.bind(number: Date().timeIntervalSince1970 - age / .seconds(1), at: 5)
            try insert.bind(MachineStart.id, at: 6)
            try insert.run()
            try insertRead.bind(Int64(partition), at: 1)
            try insertRead.bind(kept.chain, at: 2)
            try insertRead.bind(kept.read?.text ?? "", at: 3)
            try insertRead.run()
        }
    }

    /// The file is about to be written without waiting for the disk: from now on it is invalid after a loss of power,
    /// and says so on the disk.
    static func beginUse(_ database: Database) throws {
        try Self.onDisk(database) {
            try database.execute(sql: "UPDATE positions SET boot = ? WHERE boot = ''", arguments: [MachineStart.id])
        }
    }

    /// All of the file is on the disk, and says so.
    static func endUse(_ database: Database) throws {
        try Self.onDisk(database) {}
        try Self.onDisk(database) {
            try database.execute(sql: "UPDATE positions SET boot = '' WHERE boot = ?", arguments: [MachineStart.id])
        }
    }

    /// Runs a body whose changes are on the disk at its end, in the file itself, with everything that was written
    /// before.
    private static func onDisk(_ database: Database, _ body: () throws -> Void) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try body()
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        try database.execute(sql: "PRAGMA synchronous = OFF")
    }
}

/// Identifies one boot of the machine: data written without waiting for the disk are complete as long as the boot is
/// the same, however the writing process ended.
enum MachineStart {
    /// The kernel's id of this boot; if there is none, an id of this process.
    static let id: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? UUID().uuidString
    }()
}
