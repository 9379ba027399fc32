import GRDB
import IntentEvents
import IntentLab
import IntentRuntime

@testable import IntentRecords
@testable import SQLiteStore

/// A record database as the recorder of version 1 wrote it, table by table and row by row.
enum VersionOneFile {
    /// Writes a file with these records, each partition's in their order.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - path: The file.
    ///   - prefix: The prefix of their topics.
    ///   - hasTimesOfNow: Whether interactions begin and end as they do now (R80), for comparison with a new file.
    /// - Throws: `DatabaseError`.
    static func write(
        _ records: [LogRecord],
        to path: String,
        prefix: String = Traffic.prefix,
        hasTimesOfNow: Bool = false
    ) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.write { database in
            try database.execute(sql: Self.sql)
            try database.execute(sql: CutTable.sql)
            try database.execute(sql: "INSERT INTO store VALUES (?)", arguments: [prefix])
            let tables = try VersionOneTables(database)
            var changes: [RequestPosition: InteractionRow] = [:]
            var next: [TopicPartition: Int64] = [:]
            for record in records {
                let topic = Topic(name: record.topicPartition.topic, prefix: prefix)!
                let decoded = DecodedRecord(record, on: topic)
                try tables.insert(decoded)
                if let (request, row) = decoded.interaction(hasTimesOfNow: hasTimesOfNow) {
                    changes[request, default: InteractionRow()].merge(row)
                }
                next[record.topicPartition] = record.offset + 1
            }
            for (request, row) in changes { try VersionFourFile.insert(row, at: request, database) }
            for (partition, offset) in next {
                let topic = Topic(name: partition.topic, prefix: prefix)!.rawValue
                try database.execute(
                    sql: "INSERT INTO offsets VALUES (?, ?, ?, 1)",
                    arguments: [topic, partition.partition, offset]
                )
            }
            try database.execute(sql: "PRAGMA user_version = 1")
        }
        try connection.close()
    }

    private static let sql = """
        CREATE TABLE store (
            prefix TEXT NOT NULL PRIMARY KEY
        ) STRICT;

        CREATE TABLE offsets (
            topic     TEXT NOT NULL,
            partition INTEGER NOT NULL,
            next      INTEGER,
            epoch     INTEGER NOT NULL,
            PRIMARY KEY (topic, partition)
        ) STRICT;

        CREATE TABLE events (
            topic        TEXT NOT NULL,
            partition    INTEGER NOT NULL,
            "offset"     INTEGER NOT NULL,
            timestamp    INTEGER NOT NULL,
            id           TEXT,
            type         TEXT,
            source       TEXT,
            time         INTEGER,
            subject      TEXT,
            user_id      TEXT,
            causation_id TEXT,
            request      TEXT,
            key          ANY,
            headers      TEXT NOT NULL,
            value        ANY,
            PRIMARY KEY (topic, partition, "offset")
        ) STRICT;
        CREATE INDEX events_of_request ON events (request) WHERE request IS NOT NULL AND topic <> 'journal';

        CREATE TABLE turns (
            partition       INTEGER NOT NULL,
            "offset"        INTEGER NOT NULL,
            stage           TEXT NOT NULL,
            event_topic     TEXT NOT NULL,
            event_partition INTEGER NOT NULL,
            event_offset    INTEGER NOT NULL,
            generation      INTEGER NOT NULL,
            event_id        TEXT NOT NULL,
            event_type      TEXT NOT NULL,
            user_id         TEXT NOT NULL,
            interaction_id  TEXT,
            request         TEXT,
            intent          TEXT,
            opened          INTEGER NOT NULL,
            at              INTEGER NOT NULL,
            attempt         INTEGER NOT NULL,
            worker          TEXT NOT NULL,
            handler         TEXT,
            handler_version TEXT,
            outcome         TEXT NOT NULL,
            previous_digest TEXT NOT NULL,
            digest          TEXT NOT NULL,
            PRIMARY KEY (partition, "offset")
        ) STRICT;
        CREATE INDEX turns_of_request ON turns (request) WHERE request IS NOT NULL;

        \(VersionFourFile.interactions)
        CREATE TABLE user_activities (
            partition        INTEGER NOT NULL,
            "offset"         INTEGER NOT NULL,
            interaction_id   TEXT,
            request          TEXT,
            user_id          TEXT NOT NULL,
            created_at       INTEGER NOT NULL,
            activity_type    TEXT,
            title            TEXT,
            user_info        TEXT,
            intent           TEXT,
            code             TEXT,
            status           TEXT,
            group_identifier TEXT,
            PRIMARY KEY (partition, "offset")
        ) STRICT;
        CREATE INDEX user_activities_of_request ON user_activities (request) WHERE request IS NOT NULL;
        CREATE TABLE dead_letters (
            partition          INTEGER NOT NULL,
            "offset"           INTEGER NOT NULL,
            timestamp          INTEGER NOT NULL,
            error              TEXT,
            detail             TEXT,
            user_id            TEXT,
            type               TEXT,
            original_topic     TEXT,
            original_partition INTEGER,
            original_offset    INTEGER,
            original_timestamp INTEGER,
            exception_class    TEXT,
            exception_message  TEXT,
            PRIMARY KEY (partition, "offset")
        ) STRICT;
        """
}
