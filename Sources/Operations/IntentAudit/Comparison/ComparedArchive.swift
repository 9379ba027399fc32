internal import GRDB
internal import IntentKit
internal import IntentRecords
internal import SQLiteStore

/// A record database, opened for reading, beside one that was rebuilt from the topics.
final class ComparedArchive: Sendable {
    struct Result: Sendable {
        var rows = 0
        var differences: [RecordDifference] = []
        /// Whether more differ.
        var isTruncated = false
    }

    private let connection: DatabaseQueue

    /// Opens both files.
    static func open(_ path: String, attaching remade: String) async throws -> ComparedArchive {
        let connection = try await RecordArchive.connect(to: path, label: "intentd.records.compare")
        try await connection.onItsQueue { database in
            try database.execute(sql: "ATTACH DATABASE ? AS remade", arguments: [remade])
        }
        return ComparedArchive(connection)
    }

    private init(_ connection: DatabaseQueue) { self.connection = connection }

    deinit { try? self.connection.close() }

    /// Keeps a snapshot of the records until the archive is released, and returns their offsets.
    func begin() async throws -> [RecordedOffset] {
        try await self.connection.onItsQueue { database in
            try database.beginTransaction(.deferred)
            let rows = try Row.fetchAll(database, sql: "SELECT topic, partition, next FROM main.offsets ORDER BY 1, 2")
            return rows.map { RecordedOffset(topic: $0["topic"], partition: $0["partition"], next: $0["next"]) }
        }
    }

    /// The prefix of the topics that the file was filled from; nil when the file does not name it.
    func prefix() async throws -> String? {
        try await self.connection.onItsQueue { try String.fetchOne($0, sql: "SELECT prefix FROM main.store") }
    }

    /// What was removed on purpose, the oldest first.
    func cuts() async throws -> [CutMark] { try await self.connection.onItsQueue { try CutTable.all($0) } }

    /// Compares a table; rows about records that retention has removed are left out.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - starts: The first offset that a topic's partition still holds, or that was not removed from the records, by
    ///     `topic/partition`.
    ///   - limit: The maximum number of reported differences.
    /// - Returns: The number of rows, and the rows that differ.
    /// - Throws: SQLite's errors.
    func compare(_ table: ComparedTable, starts: [String: Int64], limit: Int) async throws -> Result {
        try await self.connection.onItsQueue { database in
            let complete = starts.isEmpty ? nil : try Self.earliestCompleteTime(database, starts)
            var result = Result()
            func add(_ row: Row, _ words: String, _ values: [RecordDifference.Values] = []) {
                guard !Self.isCut(row, table, starts, complete) else { return }
                guard result.differences.count < limit else {
                    result.isTruncated = true
                    return
                }
                result.differences.append(
                    RecordDifference(location: Self.location(row, table), detail: words, values: values)
                )
            }
            // The stored table; for a file of an older version, the corresponding view of the rebuilt file.
            let known = RecordSchema.kept[table.name] ?? table.name
            let kept = try database.tableExists(known, in: "main") ? known : table.name
            result.rows = try Int.fetchOne(database, sql: "SELECT count(*) FROM main.\(kept)") ?? 0
            let isOfThisVersion =
                try Int.fetchOne(database, sql: "PRAGMA main.user_version")
                == Int.fetchOne(database, sql: "PRAGMA remade.user_version")
            // A file that no recorder has migrated has the views of its own version.
            if kept != table.name, isOfThisVersion {
                let view = "sqlite_master WHERE type = 'view' AND name = '\(table.name)'"
                let isSame = try Bool.fetchOne(
                    database,
                    sql: "SELECT (SELECT sql FROM main.\(view)) IS (SELECT sql FROM remade.\(view))"
                )
                if isSame != true {
                    let words = "The view that queries use differs from the one that intentd creates."
                    result.differences.append(RecordDifference(location: "\(table.name) view", detail: words))
                }
            }
            let columns =
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM pragma_table_xinfo('\(kept)', 'main')
                        WHERE name IN (SELECT name FROM pragma_table_info('\(kept)', 'remade'))
                        """
                )
                .filter { !table.ignored.contains($0) && (isOfThisVersion || !table.newerValues.contains($0)) }
            let key = table.key.map { "m.\"\($0)\" = r.\"\($0)\"" }.joined(separator: " AND ")
            let compared = columns.filter { !table.key.contains($0) }
            let differs = compared.map { name in
                let values = "m.\"\(name)\" IS NOT r.\"\(name)\""
                guard !isOfThisVersion, let rows = table.laterColumns[name] else { return values }
                return "\(values) AND NOT (m.\"\(name)\" IS NULL AND \(rows))"
            }
            let flags = zip(compared, differs)
                .map { "(\($1)) AS \"differs:\($0)\", r.\"\($0)\" AS \"remade:\($0)\"" }
            let joined = try Row.fetchCursor(
                database,
                sql: """
                    SELECT m.*, r.partition IS NULL AS "differs:", \(flags.joined(separator: ", "))
                    FROM main.\(kept) m LEFT JOIN remade.\(kept) r ON \(key)
                    WHERE r.partition IS NULL OR \(differs.joined(separator: " OR "))
                    """
            )
            while let row = try joined.next() {
                let isMissing: Bool = row["differs:"]
                if isMissing {
                    add(row, "The topics contain no record for this row.")
                } else {
                    let names = compared.filter { (row["differs:\($0)"] as Bool) }
                    let verb = names.count == 1 ? "differs" : "differ"
                    let values = names.filter { !$0.hasPrefix("packed_") && $0 != "form" }
                        .map { name in
                            RecordDifference.Values(
                                column: name,
                                recorded: Self.value(row[name]),
                                topics: Self.value(row["remade:\(name)"])
                            )
                        }
                    add(row, "\(names.joined(separator: ", ")) \(verb) from the topics.", values)
                }
            }
            let missing = try Row.fetchCursor(
                database,
                sql: """
                    SELECT r.* FROM remade.\(kept) r LEFT JOIN main.\(kept) m ON \(key)
                    WHERE m.partition IS NULL \(isOfThisVersion ? "" : table.alsoOfOlderVersions)
                    """
            )
            while let row = try missing.next() { add(row, "The row is missing, but the topics contain its record.") }
            return result
        }
    }

    private static func location(_ row: Row, _ table: ComparedTable) -> String {
        table.name + " " + table.key.map { Self.text(row[$0]) }.joined(separator: "/")
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "NULL"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): "\(data.count) bytes"
        }
    }

    /// A column's value; JSON text is parsed.
    private static func value(_ value: DatabaseValue) -> JSONValue {
        func read(_ text: String) -> JSONValue {
            guard text.first == "{" || text.first == "[", let json = try? JSONValue(parsing: text) else {
                return .string(text)
            }
            return json
        }
        return switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .number(number)
        case .string(let text): read(text)
        case .blob(let data): String(validating: data, as: UTF8.self).map(read) ?? .string("\(data.count) bytes")
        }
    }

    /// Whether a row is about records that the topics no longer hold.
    private static func isCut(
        _ row: Row,
        _ table: ComparedTable,
        _ starts: [String: Int64],
        _ complete: Int64?
    ) -> Bool {
        guard !starts.isEmpty else { return false }
        let partition: Int64 = row["partition"] ?? 0
        if table.name == "interactions" {
            // A client's clock, which has dated the request, may be ahead of the first turn's.
            let times: [Int64?] = [row["requested_at"], row["opened_at"]]
            // Of one that began in the millisecond of the first record that is there, some may be gone.
            return times.compactMap(\.self).min().map { $0 <= complete ?? .max } ?? true
        }
        guard let topic: String = table.topic ?? row["topic"], let start = starts["\(topic)/\(partition)"] else {
            return false
        }
        // If a partition is completely gone, nothing says how far it was read.
        if table.name == "offsets" {
            let next: Int64? = row["next"]
            return next ?? 0 <= start
        }
        guard let offset: Int64 = row["offset"] else { return false }
        return offset < start
    }

    /// The latest beginning of a topic that retention has cut: everything that began later is complete.
    private static func earliestCompleteTime(_ database: Database, _ starts: [String: Int64]) throws -> Int64? {
        var latest: Int64?
        for (name, start) in starts {
            guard let slash = name.lastIndex(of: "/"), let partition = Int(name[name.index(after: slash)...]) else {
                continue
            }
            let time = try Int64.fetchOne(
                database,
                sql: """
                    SELECT min(timestamp) FROM remade.events WHERE topic = ? AND partition = ? AND "offset" >= ?
                    """,
                arguments: [String(name[..<slash]), partition, start]
            )
            latest = max(latest ?? .min, time ?? .max)
        }
        return latest
    }
}
