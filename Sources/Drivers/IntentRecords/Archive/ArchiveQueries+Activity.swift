package import IntentEvents
internal import IntentKit
internal import SQLiteStore

extension ArchiveQueries {
    /// The highest number of a record, and of a turn; 0 where there is none.
    func lastRows() throws -> (events: Int64, turns: Int64) {
        let sql = "SELECT (SELECT max(rowid) FROM events_kept), (SELECT max(rowid) FROM turns_kept)"
        return try self.rows(sql) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }.first ?? (0, 0)
    }

    /// The records whose numbers are in a range, in their order.
    func activity(_ range: Range<Int64>) throws -> [ActivityRow] {
        let limits: [JSONValue] = [.integer(range.lowerBound), .integer(range.upperBound)]
        return
            try self.rows(Self.activitySQL, limits) { row -> ActivityRow? in
                guard let topic = row.text(1).flatMap(Topic.init(rawValue:)) else { return nil }
                let source = row.text(4) ?? ""
                return ActivityRow(
                    row: row.integer(0) ?? 0,
                    topic: topic,
                    type: row.text(2),
                    timestamp: Timestamp(milliseconds: row.integer(3) ?? 0),
                    stage: source.hasPrefix("/intentd/") ? String(source.dropFirst("/intentd/".count)) : nil,
                    isTerminal: row.integer(5) == 1,
                    firstWordAfter: row.integer(6),
                    endReason: row.text(7)
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
                ) END,
            CASE WHEN e.topic = 'responses' AND e.type = 'intent.responded' AND typeof(e.value) = 'text'
                AND json_valid(e.value) THEN json_extract(e.value, '$.endReason') END
        FROM events e WHERE e.rowid >= ? AND e.rowid < ? ORDER BY e.rowid
        """

    /// The workers of the turns whose numbers are in a range.
    func workers(_ range: Range<Int64>) throws -> [WorkerActivity] {
        try self.rows(
            """
            SELECT stage, partition, worker, count(*), max(at) FROM turns_kept
            WHERE rowid >= ? AND rowid < ? GROUP BY stage, partition, worker
            """,
            [.integer(range.lowerBound), .integer(range.upperBound)]
        ) { row in
            WorkerActivity(
                stage: row.text(0) ?? "",
                partition: Int(row.integer(1) ?? 0),
                worker: row.text(2) ?? "",
                turns: Int(row.integer(3) ?? 0),
                lastAt: Timestamp(milliseconds: row.integer(4) ?? 0)
            )
        }
    }

    /// What `interactions_open` has: SQLite follows that index for this condition.
    static let isOpen = "ended_at IS NULL AND requested_at IS NOT NULL"

    func openCounts() throws -> OpenCounts {
        try self
            .rows(
                """
                SELECT count(*), count(CASE WHEN status = 'queued' THEN 1 END), (SELECT count(*) FROM dead_letters), (
                    SELECT count(DISTINCT target) FROM (\(OperatorActions.select)) o WHERE act = 'handled' AND EXISTS (
                        SELECT 1 FROM dead_letters d
                        WHERE d.partition = CAST(substr(target, 1, instr(target, '/') - 1) AS INTEGER)
                            AND d."offset" = CAST(substr(target, instr(target, '/') + 1) AS INTEGER)
                            AND o.timestamp >= d.timestamp - \(LetterHandling.clockSlack)
                    )
                )
                FROM interactions WHERE \(Self.isOpen)
                """
            ) { row in
                OpenCounts(
                    interactions: Int(row.integer(0) ?? 0),
                    queued: Int(row.integer(1) ?? 0),
                    letters: Int(row.integer(2) ?? 0),
                    handled: Int(row.integer(3) ?? 0)
                )
            }
            .first ?? OpenCounts(interactions: 0, queued: 0, letters: 0, handled: 0)
    }
}

/// What is open.
package struct OpenCounts: Hashable, Sendable {
    /// The open interactions.
    package var interactions: Int
    /// Those of them whose first turn has not happened (R80).
    package var queued: Int
    /// The dead letters.
    package var letters: Int
    /// Those of them that operators have marked as handled (R84e).
    package var handled: Int
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
    /// Why its interaction ended; nil for a record that ends none.
    package var endReason: String?
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
