package import IntentEvents
internal import IntentKit
internal import SQLiteStore

extension ArchiveQueries {
    /// The highest number of a record, and of a turn; 0 where there is none.
    func lastRows() throws -> (events: Int64, turns: Int64) {
        let statement = try PreparedStatement(
            self.database,
            "SELECT (SELECT max(rowid) FROM events_kept), (SELECT max(rowid) FROM turns_kept)"
        )
        return try self.rows(of: statement) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }.first ?? (0, 0)
    }

    /// The records whose numbers are in a range, in their order.
    func activity(_ range: Range<Int64>) throws -> [ActivityRow] {
        let statement = try PreparedStatement(self.database, Self.activitySQL)
        try self.bind([.integer(range.lowerBound), .integer(range.upperBound)], to: statement)
        return
            try self.rows(of: statement) { row -> ActivityRow? in
                guard let topic = row.text(1).flatMap(Topic.init(rawValue:)) else { return nil }
                let source = row.text(4) ?? ""
                return ActivityRow(
                    row: row.integer(0) ?? 0,
                    topic: topic,
                    type: row.text(2),
                    timestamp: Timestamp(milliseconds: row.integer(3) ?? 0),
                    stage: source.hasPrefix("/intentd/") ? String(source.dropFirst("/intentd/".count)) : nil,
                    isTerminal: row.integer(5) == 1,
                    firstWordAfter: row.integer(6)
                )
            }
            .compactMap(\.self)
    }

    /// Answers name their request; users have waited for the first of them.
    private static let activitySQL = """
        SELECT e.rowid, e.topic, e.type, e.timestamp, e.source,
            CASE WHEN e.topic = 'responses' AND e.type = 'intent.responded' AND typeof(e.value) = 'text'
                AND json_valid(e.value) THEN json_extract(e.value, '$.terminal') END,
            CASE WHEN e.topic = 'responses' AND e.type IN ('intent.responded', 'prompt.issued')
                AND NOT EXISTS (
                    SELECT 1 FROM events_kept p
                    WHERE p.request = e.request AND p.topic <> 'journal' AND p.topic = 'responses' AND p.rowid < e.rowid
                )
                THEN e.timestamp - (
                    SELECT r.timestamp FROM events_kept r WHERE r.topic = 'requests'
                        AND r.partition = CAST(substr(e.request, 1, instr(e.request, ':') - 1) AS INTEGER)
                        AND r."offset" = CAST(substr(e.request, instr(e.request, ':') + 1) AS INTEGER)
                ) END
        FROM events e WHERE e.rowid >= ? AND e.rowid < ? ORDER BY e.rowid
        """

    /// The workers of the turns whose numbers are in a range.
    func workers(_ range: Range<Int64>) throws -> [WorkerActivity] {
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT stage, partition, worker, count(*), max(at) FROM turns_kept
            WHERE rowid >= ? AND rowid < ? GROUP BY stage, partition, worker
            """
        )
        try self.bind([.integer(range.lowerBound), .integer(range.upperBound)], to: statement)
        return try self.rows(of: statement) { row in
            WorkerActivity(
                stage: row.text(0) ?? "",
                partition: Int(row.integer(1) ?? 0),
                worker: row.text(2) ?? "",
                turns: Int(row.integer(3) ?? 0),
                lastAt: Timestamp(milliseconds: row.integer(4) ?? 0)
            )
        }
    }

    func openCounts() throws -> (interactions: Int, letters: Int) {
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT (SELECT count(*) FROM interactions WHERE ended_at IS NULL), (SELECT count(*) FROM dead_letters)
            """
        )
        return try self.rows(of: statement) { (Int($0.integer(0) ?? 0), Int($0.integer(1) ?? 0)) }.first ?? (0, 0)
    }

    /// Dead letters, the newest in the file first.
    func letters(limit: Int) throws -> [RecordedLetter] {
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT d.partition, d."offset", d.timestamp, d.error, d.detail, d.user_id, d.type, d.original_topic,
                d.original_partition, d.original_offset,
                length(CAST(e.value AS BLOB)),
                (SELECT json_extract(h.value, '$.value') FROM json_each(e.headers) h
                    WHERE json_extract(h.value, '$.name') = 'intentd_request' ORDER BY h.key DESC LIMIT 1)
            FROM dead_letters d
            LEFT JOIN events e ON e.topic = 'dead-letters' AND e.partition = d.partition AND e."offset" = d."offset"
            ORDER BY d.rowid DESC LIMIT ?
            """
        )
        try self.bind([.integer(Int64(limit))], to: statement)
        let letters = try self.rows(of: statement) { row -> (letter: RecordedLetter, request: String?) in
            var origin = row.text(7)
            if let topic = origin, let partition = row.integer(8), let offset = row.integer(9) {
                origin = "\(topic)/\(partition)/\(offset)"
            }
            let letter = RecordedLetter(
                position: RecordPosition(.deadLetters, Int(row.integer(0) ?? 0), row.integer(1) ?? 0),
                timestamp: Timestamp(milliseconds: row.integer(2) ?? 0),
                error: row.text(3),
                detail: row.text(4),
                userID: row.identity(5),
                type: row.text(6),
                origin: origin,
                size: Int(row.integer(10) ?? 0)
            )
            return (letter, row.text(11))
        }
        let again = try PreparedStatement(self.database, Self.againSQL)
        return try letters.map { letter, request in
            guard let request else { return letter }
            var letter = letter
            try self.bind([.string(request), .string(letter.position.description)], to: again)
            letter.again = try self.rows(of: again) { row -> InteractionID? in row.identity(0) }.first ?? nil
            return letter
        }
    }

    /// The last interaction as which the request of a dead letter was sent again.
    ///
    /// Its id is that of the letter's interaction with a number, its request names the letter as its cause, and its first
    /// turn has found that the command sent it (R48). A client that only claims so has no such turn. The joins are in the
    /// order that uses the indexes.
    private static let againSQL = """
        WITH own(id) AS (
            SELECT interaction_id FROM interactions
            WHERE partition = CAST(substr(?1, 1, instr(?1, ':') - 1) AS INTEGER)
                AND "offset" = CAST(substr(?1, instr(?1, ':') + 1) AS INTEGER)
        ), base(id) AS (
            SELECT id FROM own
            UNION SELECT rtrim(rtrim(id, '0123456789'), '~') FROM own WHERE id GLOB '*~[0-9]*'
        )
        SELECT i.interaction_id FROM base b
        CROSS JOIN interactions i ON i.interaction_id > b.id || '~' AND i.interaction_id < b.id || '~:'
        CROSS JOIN events r ON r.topic = 'requests' AND r.partition = i.partition AND r."offset" = i."offset"
            AND r.causation_id = ?2
        WHERE EXISTS (
            SELECT 1 FROM turns_kept t
            CROSS JOIN events j ON j.topic = 'journal' AND j.partition = t.partition AND j."offset" = t."offset"
            WHERE t.request = i.partition || ':' || i."offset" AND typeof(j.value) = 'text'
                AND json_extract(j.value, '$.redriven') = 1
        )
        ORDER BY i.requested_at DESC, i."offset" DESC LIMIT 1
        """
}

/// A record for statistics: its kind and its time, without its content.
package struct ActivityRow: Hashable, Sendable {
    /// Its number in the file; a later record's is higher.
    package var row: Int64
    package var topic: Topic
    /// Its type; nil for a record that is no event.
    package var type: String?
    /// When the broker received it.
    package var timestamp: Timestamp
    /// The stage that wrote it; nil for clients' events.
    package var stage: String?
    /// Whether it ends its interaction.
    package var isTerminal: Bool
    /// Milliseconds since the request, for the first answer that the user gets; nil for all other records.
    package var firstWordAfter: Int64?
}

/// The activity of a worker on a stage's partition.
package struct WorkerActivity: Hashable, Sendable {
    package var stage: String
    package var partition: Int
    package var worker: String
    /// The number of turns that it has journaled.
    package var turns: Int
    /// The clock of its last turn.
    package var lastAt: Timestamp
}

/// A dead letter: a row of `dead_letters` (R39).
package struct RecordedLetter: Hashable, Sendable {
    package var position: RecordPosition
    /// When it was written.
    package var timestamp: Timestamp
    /// The kind of error.
    package var error: String?
    package var detail: String?
    /// The user, if known.
    package var userID: UserID?
    package var type: String?
    /// The position of the event: `topic/partition/offset`.
    package var origin: String?
    /// The last interaction as which its request was sent again; nil when it was not.
    package var again: InteractionID?
    /// The size of its value in bytes.
    package var size: Int
}
