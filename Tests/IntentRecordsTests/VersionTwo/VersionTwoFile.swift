import GRDB
import IntentEvents
import IntentRuntime

/// A record database as the recorder of version 2 wrote it: queries saw generated columns.
enum VersionTwoFile {
    /// Converts a file of this version to version 2.
    static func make(at path: String) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.writeWithoutTransaction { database in
            try VersionFourFile.convert(database)
            try database.execute(sql: Self.sql)
            try database.execute(sql: "PRAGMA user_version = 2; VACUUM")
        }
        try connection.close()
    }

    /// Moves some rows of a file of version 2 back into tables of version 1, as if its migration to 2 had been killed.
    ///
    /// Every second half of the events still has to be moved, and all turns, as they come after all events.
    static func leaveUnfinished(at path: String) throws {
        let connection = try DatabaseQueue(path: path)
        try connection.writeWithoutTransaction { database in
            for (table, condition) in [
                ("events", "rowid > (SELECT max(rowid) / 2 FROM events)"), ("turns", "1"),
            ] {
                let columns =
                    try String.fetchAll(
                        database,
                        sql: """
                            SELECT '"' || name || '"' FROM pragma_table_xinfo(?)
                            WHERE name NOT LIKE 'packed%' AND name <> 'form'
                            """,
                        arguments: [table]
                    )
                    .joined(separator: ", ")
                try database.execute(
                    sql: """
                        CREATE TABLE \(table)_before AS
                            SELECT \(columns) FROM \(table) WHERE \(condition) ORDER BY rowid;
                        DELETE FROM \(table) WHERE \(condition);
                        """
                )
            }
        }
        try connection.close()
    }

    private static let sql = #"""
        DROP VIEW events;
        DROP VIEW turns;
        DROP INDEX events_of_request;
        DROP INDEX turns_of_request;
        CREATE TABLE events (
            topic               TEXT NOT NULL,
            partition           INTEGER NOT NULL,
            "offset"            INTEGER NOT NULL,
            timestamp           INTEGER NOT NULL,
            id                  TEXT GENERATED ALWAYS AS (CASE typeof(packed_id)
                WHEN 'blob' THEN lower(hex(packed_id)) ELSE packed_id END) VIRTUAL,
            type                TEXT GENERATED ALWAYS AS (CASE typeof(packed_type)
                WHEN 'integer' THEN CASE packed_type WHEN 19 THEN 'turn.journaled'
                WHEN 18 THEN 'user-activity.created' WHEN 17 THEN 'event.rejected'
                WHEN 16 THEN 'status.updated' WHEN 15 THEN 'intent.responded'
                WHEN 14 THEN 'prompt.issued' WHEN 13 THEN 'timer.fired'
                WHEN 12 THEN 'interaction.resumed' WHEN 11 THEN 'interaction.returned'
                WHEN 10 THEN 'intent.confirmed' WHEN 9 THEN 'intent.resolved'
                WHEN 8 THEN 'vocabulary.removed' WHEN 7 THEN 'vocabulary.replaced'
                WHEN 6 THEN 'app.responded' WHEN 5 THEN 'user.authenticated'
                WHEN 4 THEN 'device.unlocked' WHEN 3 THEN 'interaction.cancelled'
                WHEN 2 THEN 'prompt.answered' WHEN 1 THEN 'intent.requested' END ELSE packed_type END) VIRTUAL,
            source              TEXT GENERATED ALWAYS AS (CASE typeof(packed_source)
                WHEN 'integer' THEN CASE packed_source WHEN 3 THEN '/intentd/handle'
                WHEN 2 THEN '/intentd/confirm'
                WHEN 1 THEN '/intentd/resolve' END ELSE packed_source END) VIRTUAL,
            time                INTEGER,
            subject             TEXT,
            user_id             TEXT,
            causation_id        TEXT GENERATED ALWAYS AS (CASE typeof(packed_causation_id)
                WHEN 'blob' THEN lower(hex(packed_causation_id)) ELSE packed_causation_id END) VIRTUAL,
            request             TEXT,
            key                 ANY GENERATED ALWAYS AS (CASE
                WHEN form & 8 THEN user_id ELSE packed_key END) VIRTUAL,
            headers             TEXT GENERATED ALWAYS AS (CASE
                WHEN form & 4 = 0 THEN packed_headers ELSE printf('[{"name":"ce_specversion","value":"1.0"},\#
        {"name":"ce_id","value":"%s"},{"name":"ce_source","value":"%s"},{"name":"ce_type","value":"%s"},\#
        {"name":"ce_time","value":"%s"},{"name":"ce_userid","value":"%s"},%s%s%s%s%s\#
        {"name":"content-type","value":"application/json"}]', id, source, type, strftime('%Y-%m-%dT%H:%M:%fZ',\#
         time / 1000.0, 'unixepoch'), user_id, '{"name":"ce_subject","value":"' || subject || '"},', '\#
        {"name":"ce_causationid","value":"' || causation_id || '"},', CASE form & 3 WHEN 1 THEN '\#
        {"name":"ce_stage","value":"resolve"},' WHEN 2 THEN '\#
        {"name":"ce_stage","value":"confirm"},' WHEN 3 THEN '{"name":"ce_stage","value":"handle"},' END, '\#
        {"name":"ce_request","value":"' || request || '"},', packed_headers) END) VIRTUAL,
            form                INTEGER NOT NULL,
            packed_id           ANY,
            packed_type         ANY,
            packed_source       ANY,
            packed_causation_id ANY,
            packed_key          ANY,
            packed_headers      TEXT,
            value               ANY,
            PRIMARY KEY (topic, partition, "offset")
        ) STRICT;
        INSERT INTO events (topic, partition, "offset", timestamp, time, subject, user_id, request, form, packed_id,
            packed_type, packed_source, packed_causation_id, packed_key, packed_headers, value)
        SELECT topic, partition, "offset", timestamp, time, subject, user_id, request, form, packed_id, packed_type,
            packed_source, packed_causation_id, packed_key, packed_headers, value FROM events_kept ORDER BY rowid;
        CREATE INDEX events_of_request ON events (request) WHERE request IS NOT NULL AND topic <> 'journal';
        DROP TABLE events_kept;
        CREATE TABLE turns (
            partition              INTEGER NOT NULL,
            "offset"               INTEGER NOT NULL,
            stage                  TEXT GENERATED ALWAYS AS (CASE typeof(packed_stage)
                WHEN 'integer' THEN CASE packed_stage WHEN 3 THEN 'handle' WHEN 2 THEN 'confirm'
                WHEN 1 THEN 'resolve' END ELSE packed_stage END) VIRTUAL,
            event_topic            TEXT GENERATED ALWAYS AS (CASE typeof(packed_event_topic)
                WHEN 'integer' THEN CASE packed_event_topic WHEN 8 THEN 'dead-letters'
                WHEN 7 THEN 'journal' WHEN 6 THEN 'user-activities' WHEN 5 THEN 'responses'
                WHEN 4 THEN 'signals' WHEN 3 THEN 'confirmed' WHEN 2 THEN 'resolved'
                WHEN 1 THEN 'requests' END ELSE packed_event_topic END) VIRTUAL,
            event_partition        INTEGER NOT NULL,
            event_offset           INTEGER NOT NULL,
            generation             INTEGER NOT NULL,
            event_id               TEXT GENERATED ALWAYS AS (CASE typeof(packed_event_id)
                WHEN 'blob' THEN lower(hex(packed_event_id)) ELSE packed_event_id END) VIRTUAL,
            event_type             TEXT GENERATED ALWAYS AS (CASE typeof(packed_event_type)
                WHEN 'integer' THEN CASE packed_event_type WHEN 19 THEN 'turn.journaled'
                WHEN 18 THEN 'user-activity.created' WHEN 17 THEN 'event.rejected'
                WHEN 16 THEN 'status.updated' WHEN 15 THEN 'intent.responded'
                WHEN 14 THEN 'prompt.issued' WHEN 13 THEN 'timer.fired'
                WHEN 12 THEN 'interaction.resumed' WHEN 11 THEN 'interaction.returned'
                WHEN 10 THEN 'intent.confirmed' WHEN 9 THEN 'intent.resolved'
                WHEN 8 THEN 'vocabulary.removed' WHEN 7 THEN 'vocabulary.replaced'
                WHEN 6 THEN 'app.responded' WHEN 5 THEN 'user.authenticated'
                WHEN 4 THEN 'device.unlocked' WHEN 3 THEN 'interaction.cancelled'
                WHEN 2 THEN 'prompt.answered'
                WHEN 1 THEN 'intent.requested' END ELSE packed_event_type END) VIRTUAL,
            user_id                TEXT NOT NULL,
            interaction_id         TEXT,
            request                TEXT,
            intent                 TEXT,
            opened                 INTEGER NOT NULL,
            at                     INTEGER NOT NULL,
            attempt                INTEGER NOT NULL,
            worker                 TEXT NOT NULL,
            handler                TEXT,
            handler_version        TEXT,
            outcome                TEXT GENERATED ALWAYS AS (CASE typeof(packed_outcome)
                WHEN 'integer' THEN CASE packed_outcome WHEN 12 THEN 'noted' WHEN 11 THEN 'reported'
                WHEN 10 THEN 'parked' WHEN 9 THEN 'ended' WHEN 8 THEN 'returned' WHEN 7 THEN 'passed'
                WHEN 6 THEN 'prompted' WHEN 5 THEN 'deadLettered' WHEN 4 THEN 'refused'
                WHEN 3 THEN 'rejected' WHEN 2 THEN 'ignored'
                WHEN 1 THEN 'forwarded' END ELSE packed_outcome END) VIRTUAL,
            previous_digest        TEXT GENERATED ALWAYS AS (CASE typeof(packed_previous_digest)
                WHEN 'blob' THEN lower(hex(packed_previous_digest)) ELSE packed_previous_digest END) VIRTUAL,
            digest                 TEXT GENERATED ALWAYS AS (CASE typeof(packed_digest)
                WHEN 'blob' THEN lower(hex(packed_digest)) ELSE packed_digest END) VIRTUAL,
            packed_stage           ANY NOT NULL,
            packed_event_topic     ANY NOT NULL,
            packed_event_id        ANY NOT NULL,
            packed_event_type      ANY NOT NULL,
            packed_outcome         ANY NOT NULL,
            packed_previous_digest ANY NOT NULL,
            packed_digest          ANY NOT NULL,
            PRIMARY KEY (partition, "offset")
        ) STRICT;
        INSERT INTO turns (partition, "offset", event_partition, event_offset, generation, user_id, interaction_id,
            request, intent, opened, at, attempt, worker, handler, handler_version, packed_stage, packed_event_topic,
            packed_event_id, packed_event_type, packed_outcome, packed_previous_digest, packed_digest)
        SELECT partition, "offset", event_partition, event_offset, generation, user_id, interaction_id, request,
            intent, opened, at, attempt, worker, handler, handler_version,
            CASE stage WHEN 'resolve' THEN 1 WHEN 'confirm' THEN 2 ELSE 3 END, packed_event_topic, packed_event_id,
            packed_event_type,
            CASE outcome WHEN 'forwarded' THEN 1 WHEN 'ignored' THEN 2 WHEN 'rejected' THEN 3 WHEN 'refused' THEN 4
            WHEN 'deadLettered' THEN 5 WHEN 'prompted' THEN 6 WHEN 'passed' THEN 7 WHEN 'returned' THEN 8
            WHEN 'ended' THEN 9 WHEN 'parked' THEN 10 WHEN 'reported' THEN 11 ELSE 12 END,
            packed_previous_digest, packed_digest FROM turns_kept ORDER BY rowid;
        CREATE INDEX turns_of_request ON turns (request) WHERE request IS NOT NULL;
        DROP TABLE turns_kept;
        """#
}
