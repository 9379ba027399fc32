import GRDB
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@testable import IntentRecords

@Suite("Queries of the records use their indexes")
struct QueryPlanTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("records.sqlite")
    }

    /// SQLite's plan for a query, one step per line.
    private static func plan(_ sql: String, _ database: Database) throws -> [String] {
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] }
    }

    private func write(_ records: [LogRecord]) async throws {
        let database = try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)
        try await RecordTables.write(records, to: database, seed: 1)
        await database.close()
    }

    /// The queries of the guide, and those that look up a record, a turn or an interaction.
    private static let queries: [(sql: String, uses: String)] = [
        ("SELECT status, count(*) FROM interactions GROUP BY status", "SCAN interactions_kept"),
        ("SELECT * FROM interactions WHERE interaction_id = 'x'", "INDEX interactions_by_id (interaction_id=?)"),
        ("SELECT * FROM interactions WHERE user_id = 'u'", "INDEX interactions_by_user (user_id=?)"),
        (
            "SELECT * FROM interactions WHERE user_id = 'u'",
            "INDEX turns_without_interaction (event_partition=? AND event_offset=?)"
        ),
        ("SELECT * FROM interactions WHERE requested_at >= 1", "INDEX interactions_by_time (requested_at>?)"),
        ("SELECT max(rowid) FROM events", "SEARCH events_kept"),
        ("SELECT count(*) FROM events", "USING COVERING INDEX"),
        ("SELECT topic, count(*) FROM events GROUP BY topic", "USING COVERING INDEX sqlite_autoindex_events_kept_1"),
        (
            "SELECT * FROM events WHERE topic = 'requests' AND partition = 5 AND \"offset\" = 2",
            "INDEX sqlite_autoindex_events_kept_1 (topic=? AND partition=? AND offset=?)"
        ),
        ("SELECT * FROM events WHERE topic = 'journal' AND value LIKE '%x%'", "events_kept_1 (topic=?)"),
        ("SELECT * FROM events WHERE request = '0:1' AND topic <> 'journal'", "INDEX events_of_request (request=?)"),
        (
            "UPDATE events_kept SET value = replace(value, '200.00', '20.00') WHERE topic = 'requests'",
            "INDEX sqlite_autoindex_events_kept_1 (topic=?)"
        ),
        ("SELECT * FROM turns WHERE request = '0:1'", "INDEX turns_of_request (request=?)"),
        (
            "SELECT * FROM turns WHERE partition = 1 AND \"offset\" = 2",
            "INDEX sqlite_autoindex_turns_kept_1 (partition=? AND offset=?)"
        ),
        ("SELECT outcome, count(*) FROM turns GROUP BY outcome", "SCAN turns_kept"),
        (
            "SELECT value FROM events WHERE topic = 'journal' AND (partition, \"offset\") IN "
                + "(SELECT partition, \"offset\" FROM turns WHERE request = '0:1')",
            "INDEX sqlite_autoindex_events_kept_1 (topic=? AND partition=? AND offset=?)"
        ),
        ("SELECT * FROM user_activities WHERE request = '0:1'", "INDEX user_activities_of_request (request=?)"),
        (
            "SELECT count(*), count(CASE WHEN status = 'queued' THEN 1 END) FROM interactions WHERE \(ArchiveQueries.isOpen)",
            "INDEX interactions_open"
        ),
        (
            ArchiveQueries.answersSQL.replacing(#/\?[1-5]/#, with: "1"),
            "INDEX events_of_users (user_id=? AND timestamp>?)"
        ),
        ("SELECT * FROM dead_letters WHERE partition = 0 AND \"offset\" = 1", "autoindex_dead_letters_1"),
    ]

    @Test("The guide's queries, in a new file and in one migrated from version 2", arguments: [false, true])
    func guideQueriesUseIndexes(isMigrated: Bool) async throws {
        try await self.write(Traffic(seed: 3, interactions: 30).records)
        if isMigrated {
            try VersionTwoFile.make(at: self.path)
            await (try await RecordDatabase.open(at: self.path, prefix: Traffic.prefix)).close()
        }
        try await DatabaseQueue(path: self.path)
            .read { database in
                for (sql, uses) in Self.queries {
                    let plan = try Self.plan(sql, database)
                    #expect(plan.contains { $0.contains(uses) }, "\(sql): \(plan)")
                    // Queries go through the views: SQLite builds no table that is then searched.
                    #expect(!plan.contains { $0.contains("MATERIALIZE") || $0.contains("CO-ROUTINE") }, "\(sql)")
                }
            }
    }

    @Test("The queries of list, show and pruning")
    func commandQueriesUseIndexes() async throws {
        try await self.write(Traffic(seed: 3, interactions: 30).records)
        // SQLite only calls from the connection's queue.
        let statements = Mutex<[String]>([])
        try await DatabaseQueue(path: self.path)
            .write { database in
                database.trace { event in statements.withLock { $0.append(event.expandedDescription) } }
                let queries = ArchiveQueries(database)
                _ = try queries.interactions(InteractionFilter())
                _ = try queries.interactions(InteractionFilter(userID: "user-3"))
                _ = try queries.interactions(InteractionFilter(since: Timestamp(milliseconds: 1)))
                let interaction = try #require(try queries.latestInteraction("interaction-3"))
                #expect(try queries.story(of: interaction).events.count > 3)
                for partition in try RecordCuts.partitions(database) {
                    _ = try RecordCuts.advance(
                        partition,
                        from: 0,
                        before: Timestamp(milliseconds: 1),
                        limit: 9,
                        database
                    )
                    for table in partition.tables {
                        _ = try RecordCuts.remove(from: table, partition, before: 1, limit: 9, database)
                    }
                }
                _ = try RecordCuts.removeInteractions(0, from: 0, before: 5, limit: 9, database)
                database.trace(options: [])
                var used: Set<String> = []
                for sql in statements.withLock(\.self) where !sql.hasPrefix("PRAGMA") {
                    for step in try Self.plan(sql, database) {
                        #expect(!step.contains("MATERIALIZE"), "\(step) in \(sql)")
                        // The few partitions may be scanned, and so may interactions by their time.
                        let isScan = step.hasPrefix("SCAN") && !step.contains("offsets") && !step.contains("by_time")
                        let isHarmless = !isScan || step.contains("CONSTANT ROW") || step.contains("subquery")
                        #expect(isHarmless, "\(step) in \(sql)")
                        if let index = step.split(separator: "INDEX ").last?.split(separator: " ").first {
                            used.insert(String(index))
                        }
                    }
                }
                for index in [
                    "interactions_by_id", "interactions_by_user", "interactions_by_time", "events_of_request",
                    "turns_of_request", "sqlite_autoindex_events_kept_1", "sqlite_autoindex_turns_kept_1",
                ] {
                    #expect(used.contains(index), "\(index)")
                }
            }
    }
}
