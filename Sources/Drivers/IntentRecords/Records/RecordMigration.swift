internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

/// Migrates a file of an older version in place, in steps that each leave it consistent.
///
/// The tables of version 1 are renamed and created again, and their rows are moved, some thousand in a transaction,
/// from the first to the last. The freed pages are used for the following rows, so that neither memory nor file grows
/// with the number of rows. In version 2 only `turns` is moved: `events` loses its generated columns and is renamed,
/// and none of its rows is touched. In version 3 dead letters do not name the request of the interaction that they ended. Up
/// to version 4, `interactions` has no requests whose first turn is not recorded, and other times: its rows are moved, and
/// then all requests are read. Views are made anew: a version that changes only them moves no rows. A migration that
/// was killed continues where the last transaction ended. The file has the new version from the first step on, and is
/// unusable until the last one.
enum RecordMigration {
    /// How many rows one transaction moves.
    private static let chunk = 2_000
    /// The name of version 1's `events` while rows are left in it.
    private static let oldEvents = "events_before"
    private static let oldTurns = "turns_before"
    /// The name of version 2's `turns` while rows are left in it.
    private static let packedTurns = "turns_packed"
    /// The name of `interactions` of version 4 and before while rows are left in it.
    private static let oldInteractions = "interactions_before"
    /// One row: the last request that was read; the table is there as long as requests are left.
    private static let readRequests = "requests_before"
    /// What moves rows of each of these tables and returns their number, in the order in which they are emptied.
    private static let moves: [(table: String, move: @Sendable (Database, _ limit: Int) throws -> Int)] = [
        (Self.oldEvents, { try Self.moveEvents($0, limit: $1) }),
        (Self.oldTurns, { try Self.moveTurns($0, from: Self.oldTurns, limit: $1) }),
        (Self.packedTurns, { try Self.moveTurns($0, from: Self.packedTurns, limit: $1) }),
        (Self.oldInteractions, { try Self.moveInteractions($0, limit: $1) }),
        (Self.readRequests, { try Self.readRequests($0, limit: $1) }),
    ]
    /// The generated columns of `events` of version 2, those that derive from others first.
    private static let generatedColumns = ["headers", "key", "causation_id", "source", "type", "id"]

    /// Whether rows are left to be moved: a reader would see only a part of them.
    static func isUnfinished(_ database: Database) throws -> Bool {
        try Self.moves.contains { try database.tableExists($0.table) }
    }

    /// What to do about a file whose rows are not all moved.
    static func advice(_ path: String) -> String {
        "\(path) is being migrated to this version's schema: wait until the recorder has finished, or start it."
    }

    /// Makes the new tables in a file of an older version; other files are left alone.
    /// - Throws: `StoreError` with `file` when it holds the records of other topics.
    static func begin(_ database: Database, prefix: String) throws {
        try database.inTransaction(.immediate) {
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard 1..<RecordSchema.version ~= version else { return .commit }
            let isRecorders = try database.tableExists("store")
            let found = try isRecorders ? String.fetchOne(database, sql: "SELECT prefix FROM store") : nil
            guard let found, found == prefix else {
                throw StoreError(.file, "The file holds the records of \(found ?? "no topics"), not of \(prefix).")
            }
            // A table cannot be renamed while a view names it.
            try database.execute(sql: "DROP VIEW IF EXISTS operator_actions")
            if version == 1 {
                try database.execute(
                    sql: """
                        ALTER TABLE events RENAME TO \(Self.oldEvents);
                        ALTER TABLE turns RENAME TO \(Self.oldTurns);
                        DROP INDEX events_of_request;
                        \(RecordSchema.events)
                        \(RecordSchema.eventsIndex)
                        """
                )
            } else if version == 2 {
                try database.execute(
                    sql: """
                        ALTER TABLE events RENAME TO events_kept;
                        ALTER TABLE turns RENAME TO \(Self.packedTurns);
                        """
                )
                for column in Self.generatedColumns {
                    try database.execute(sql: "ALTER TABLE events_kept DROP COLUMN \(column)")
                }
            }
            if version < 3 {
                try database.execute(
                    sql: "DROP INDEX turns_of_request; \(RecordSchema.turns) \(RecordSchema.turnsIndex)"
                )
            }
            // Views hold no rows: those of any version are replaced by this version's.
            try database.execute(sql: "DROP VIEW IF EXISTS events; DROP VIEW IF EXISTS turns;")
            if version < 5 {
                try database.execute(
                    sql: """
                        ALTER TABLE interactions RENAME TO \(Self.oldInteractions);
                        DROP INDEX interactions_by_id;
                        DROP INDEX interactions_by_user;
                        DROP INDEX interactions_by_time;
                        \(RecordSchema.refusals)
                        \(RecordSchema.interactions)
                        \(RecordSchema.interactionsIndexes)
                        CREATE TABLE \(Self.readRequests) (partition INTEGER NOT NULL, "offset" INTEGER NOT NULL) STRICT;
                        INSERT INTO \(Self.readRequests) VALUES (-1, -1);
                        """
                )
            }
            try database.execute(
                sql: """
                    \(RecordSchema.eventsView)
                    \(RecordSchema.turnsView)
                    \(version < 5 ? RecordSchema.interactionsView : "")
                    \(RecordSchema.added)
                    PRAGMA user_version = \(RecordSchema.version);
                    """
            )
            try Self.linkDeadLetters(database)
            return .commit
        }
    }

    /// Stores in the rows of dead letters the request of the interaction that each one ended.
    private static func linkDeadLetters(_ database: Database) throws {
        let rows = try PreparedStatement(
            database,
            "SELECT rowid, headers FROM events WHERE topic = '\(Topic.deadLetters.rawValue)'"
        )
        defer { rows.reset() }
        var requests: [(row: Int64, request: RequestID)] = []
        while try rows.step() {
            let content = RecordContent(key: nil, value: nil, headers: try HeaderJSON.read(rows, 1))
            guard let row = rows.integer(0), let request = ScannedRecord.request(endedBy: content) else { continue }
            requests.append((row, request))
        }
        for (row, request) in requests {
            // Headers that were left out because they followed from the columns no longer do. The form of headers that
            // were not left out has no other bit than the key's.
            try database.execute(
                sql: """
                    UPDATE events_kept SET request = ?1, form = form & \(EventForm.Bit.key), packed_headers =
                        (SELECT e.headers FROM events e WHERE e.rowid = ?2)
                    WHERE rowid = ?2 AND request IS NOT ?1
                    """,
                arguments: [request.text, row]
            )
        }
    }

    /// Moves the remaining rows.
    static func finish(_ database: Database) throws {
        while try Self.step(database) {}
    }

    /// Moves some rows, in a transaction of its own; false when none was left.
    static func step(_ database: Database, rows: Int = chunk) throws -> Bool {
        var isMore = false
        try database.inTransaction(.immediate) {
            if let (table, move) = try Self.moves.first(where: { try database.tableExists($0.table) }) {
                if try move(database, rows) == 0 { try database.execute(sql: "DROP TABLE \(table)") }
                isMore = true
            }
            return .commit
        }
        return isMore
    }

    /// Moves rows of `interactions`: their times become those of the responses' records.
    private static func moveInteractions(_ database: Database, limit: Int) throws -> Int {
        let chunk = "SELECT rowid FROM \(Self.oldInteractions) ORDER BY rowid LIMIT \(limit)"
        guard let last = try Int64.fetchOne(database, sql: "SELECT max(rowid) FROM (\(chunk))") else { return 0 }
        let written = """
            coalesce((
                SELECT e.timestamp FROM events_kept e WHERE e.topic = 'responses'
                    AND e.partition = i.response_partition AND e."offset" = i.response_offset
            ), i.responded_at)
            """
        try database.execute(
            sql: """
                INSERT INTO interactions_kept (partition, "offset", interaction_id, user_id, intent, status, code,
                    end_reason, phase, requested_at, is_written, opened_at, first_prompt_at, responded_at, ended_at,
                    turns, prompts, terminal_responses, parameters, response_partition, response_offset)
                SELECT i.partition, i."offset", i.interaction_id, i.user_id, i.intent, i.status, i.code, i.end_reason,
                    i.phase, i.requested_at, 0, i.requested_at,
                    CASE WHEN i.first_prompt_at IS NOT NULL THEN coalesce((
                        SELECT min(e.timestamp) FROM events e WHERE e.request = i.partition || ':' || i."offset"
                            AND e.topic <> 'journal' AND +e.topic = 'responses' AND e.type = 'prompt.issued'
                    ), i.first_prompt_at) END,
                    \(written), CASE WHEN i.ended_at IS NOT NULL THEN \(written) END,
                    i.turns, i.prompts, i.terminal_responses, i.parameters, i.response_partition, i.response_offset
                FROM \(Self.oldInteractions) i WHERE i.rowid <= ? ORDER BY i.rowid
                """,
            arguments: [last]
        )
        let count = database.changesCount
        try database.execute(sql: "DELETE FROM \(Self.oldInteractions) WHERE rowid <= ?", arguments: [last])
        return count
    }

    /// Reads recorded requests again, and adds what they say to the rows of `interactions`.
    private static func readRequests(_ database: Database, limit: Int) throws -> Int {
        let table = try InteractionTable(database)
        let arguments = ArgumentBytes()
        var tape = JSONTape()
        let rows = try PreparedStatement(
            database,
            """
            SELECT partition, "offset", timestamp, key, headers, value FROM events
            WHERE topic = 'requests' AND (partition, "offset") > (SELECT partition, "offset" FROM \(Self.readRequests))
                AND type = 'intent.requested'
            ORDER BY partition, "offset" LIMIT ?
            """
        )
        defer { rows.reset() }
        try rows.bind(Int64(limit), at: 1)
        var count = 0
        var last = RowPosition(partition: 0, offset: 0, timestamp: 0)
        while try rows.step() {
            arguments.begin()
            last = RowPosition(
                partition: rows.integer(0) ?? 0,
                offset: rows.integer(1) ?? 0,
                timestamp: rows.integer(2) ?? 0
            )
            let content = RecordContent(
                key: rows.bytes(3),
                value: rows.bytes(5),
                headers: try HeaderJSON.read(rows, 4)
            )
            try content.withParts { parts in
                let scanned = ScannedRecord(content, at: last, parts, kept: parts, on: .requests, &tape, arguments)
                if let (request, row) = scanned.said { try table.merge(row, at: request) }
            }
            count += 1
        }
        rows.reset()
        try database.execute(
            sql: "UPDATE \(Self.readRequests) SET partition = ?, \"offset\" = ?",
            arguments: [last.partition, last.offset]
        )
        return count
    }

    private static func moveEvents(_ database: Database, limit: Int) throws -> Int {
        let columns = """
            topic, partition, "offset", timestamp, id, type, source, time, subject, user_id, causation_id, request, key,
            headers, value, typeof(value) = 'text'
            """
        return try Self.moveRows(database, from: Self.oldEvents, columns, limit: limit) { rows, tables in
            guard let topic = rows.text(1).flatMap(Topic.init(rawValue:)) else {
                throw StoreError(.damaged, "A row of events names an unknown topic.")
            }
            let arguments = tables.arguments
            func text(_ column: Int32) -> RecordBytes? { arguments.add(rows.bytes(column)) }
            let headers = rows.bytes(14) ?? []
            let time = rows.integer(8)
            let content = RecordContent(
                key: rows.bytes(13),
                value: rows.bytes(15),
                headers: (try? JSONValue(parsing: headers)).flatMap(HeaderJSON.read) ?? []
            )
            var columns = EventColumns(
                id: text(5),
                type: text(6),
                source: text(7),
                time: time,
                writtenTime: time.map { arguments.add(Timestamp(milliseconds: $0).description) },
                subject: text(9),
                userID: text(10),
                causationID: text(11),
                request: text(12),
                isJSON: rows.integer(16) == 1,
                headerJSON: arguments.add(headers)
            )
            if topic == .deadLetters, let ended = ScannedRecord.request(endedBy: content) {
                columns.request = arguments.add(ended.text)
            }
            let position = RowPosition(
                partition: rows.integer(2) ?? 0,
                offset: rows.integer(3) ?? 0,
                timestamp: rows.integer(4) ?? 0
            )
            try content.withParts { try tables.insert($0, at: position, on: topic, columns) }
        }
    }

    private static func moveTurns(_ database: Database, from table: String, limit: Int) throws -> Int {
        let columns = """
            partition, "offset", stage, event_topic, event_partition, event_offset, generation, event_id, event_type,
            user_id, interaction_id, request, intent, opened, at, attempt, worker, handler, handler_version, outcome,
            previous_digest, digest
            """
        return try Self.moveRows(database, from: table, columns, limit: limit) { rows, tables in
            guard let stage = rows.text(3).flatMap(Stage.init(rawValue:)),
                let topic = rows.text(4).flatMap(Topic.init(rawValue:)),
                let outcome = rows.text(20).flatMap(TurnOutcome.init(rawValue:))
            else { throw StoreError(.damaged, "A row of turns names an unknown stage, topic or outcome.") }
            let arguments = tables.arguments
            func text(_ column: Int32) -> RecordBytes? { arguments.add(rows.bytes(column)) }
            let turn = ScannedTurn(
                stage: stage,
                position: RecordPosition(topic, Int(rows.integer(5) ?? 0), rows.integer(6) ?? 0),
                generation: rows.integer(7) ?? 0,
                eventID: text(8) ?? RecordBytes(""),
                eventType: text(9) ?? RecordBytes(""),
                userID: text(10) ?? RecordBytes(""),
                interactionID: text(11),
                request: text(12),
                intent: text(13),
                opened: rows.integer(14) == 1,
                at: rows.integer(15) ?? 0,
                attempt: rows.integer(16) ?? 0,
                worker: text(17) ?? RecordBytes(""),
                handlerName: text(18),
                handlerVersion: text(19),
                outcome: outcome,
                previousDigest: text(21) ?? RecordBytes("")
            )
            let position = RowPosition(partition: rows.integer(1) ?? 0, offset: rows.integer(2) ?? 0, timestamp: 0)
            try tables.insert(turn, at: position, digest: .digits(text(22)))
        }
    }

    /// Moves rows with these columns, which follow the row's number, to the tables of records.
    private static func moveRows(
        _ database: Database,
        from table: String,
        _ columns: String,
        limit: Int,
        _ insert: (_ row: PreparedStatement, _ tables: inout EventTables) throws -> Void
    ) throws -> Int {
        var tables = try EventTables(database)
        let rows = try PreparedStatement(database, "SELECT rowid, \(columns) FROM \(table) ORDER BY rowid LIMIT ?")
        defer { rows.reset() }
        try rows.bind(Int64(limit), at: 1)
        var (count, last) = (0, Int64(0))
        while try rows.step() {
            tables.arguments.begin()
            try insert(rows, &tables)
            last = rows.integer(0) ?? 0
            count += 1
        }
        try tables.flush()
        rows.reset()
        try database.execute(sql: "DELETE FROM \(table) WHERE rowid <= ?", arguments: [last])
        return count
    }
}
