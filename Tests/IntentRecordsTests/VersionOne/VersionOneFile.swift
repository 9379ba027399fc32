import GRDB
import IntentEvents
import IntentLab
import IntentRuntime

@testable import IntentRecords
@testable import SQLiteStore

/// A record database as the recorder of version 1 wrote it, table by table and row by row.
enum VersionOneFile {
    /// Writes a file with these records, each partition's in their order.
    static func write(_ records: [LogRecord], to path: String, prefix: String = Traffic.prefix) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.write { database in
            try database.execute(sql: Self.sql)
            try database.execute(sql: CutTable.sql)
            try database.execute(sql: "INSERT INTO store VALUES (?)", arguments: [prefix])
            let tables = try VersionOneTables(database)
            let interactions = try InteractionTable(database)
            var changes: [RequestPosition: InteractionRow] = [:]
            var next: [TopicPartition: Int64] = [:]
            for record in records {
                let topic = Topic(name: record.topicPartition.topic, prefix: prefix)!
                let decoded = DecodedRecord(record, on: topic)
                try tables.insert(decoded)
                if let (request, row) = decoded.interaction { changes[request, default: InteractionRow()].merge(row) }
                next[record.topicPartition] = record.offset + 1
            }
            for (request, row) in changes { try interactions.merge(row, at: request) }
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

        CREATE TABLE interactions (
            partition          INTEGER NOT NULL,
            "offset"           INTEGER NOT NULL,
            interaction_id     TEXT,
            user_id            TEXT,
            intent             TEXT,
            status             TEXT,
            code               TEXT,
            end_reason         TEXT,
            phase              TEXT,
            requested_at       INTEGER,
            first_prompt_at    INTEGER,
            responded_at       INTEGER,
            ended_at           INTEGER,
            duration           INTEGER GENERATED ALWAYS AS (ended_at - requested_at) VIRTUAL,
            turns              INTEGER NOT NULL,
            prompts            INTEGER NOT NULL,
            terminal_responses INTEGER NOT NULL,
            parameters         TEXT,
            response_partition INTEGER,
            response_offset    INTEGER,
            PRIMARY KEY (partition, "offset")
        ) STRICT;
        CREATE INDEX interactions_by_id ON interactions (interaction_id);
        CREATE INDEX interactions_by_user ON interactions (user_id, requested_at);
        CREATE INDEX interactions_by_time ON interactions (requested_at);

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
