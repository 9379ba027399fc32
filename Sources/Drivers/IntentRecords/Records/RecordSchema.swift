internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

/// The tables of `records.sqlite`, meant to be queried (R39).
///
/// Every row is a function of what the topics hold: clocks, the order of reading and batches leave no trace in it. The
/// exceptions are `offsets.epoch`, `passed` and `events.rowid`. Times are milliseconds since 1970 (`datetime(at / 1000,
/// 'unixepoch')`). Topics have their names without the prefix. A `request` is an interaction's request position,
/// `partition:offset` on `requests`, which identifies an interaction internally (R8). Values are as they came:
/// parameters marked sensitive are masked where they are shown (R40), not here.
package enum RecordSchema {
    /// The version of the tables, in SQLite's `user_version`.
    static let version = 5
    /// The readable versions: the documented columns have the same names in all.
    static let readableVersions = 1...5

    /// The tables, in the order of their dependence.
    static let sql = [
        Self.store, Self.offsets, Self.events, Self.eventsIndex, Self.eventsView, Self.turns, Self.turnsIndex,
        Self.turnsView, Self.refusals, Self.interactions, Self.interactionsIndexes, Self.interactionsView, Self.others,
        Self.added,
    ]
    .joined()

    /// The tables, views and indexes that were added to this version: files from before them have all the others.
    static let added = CutTable.sql + PassedTable.sql + OperatorActions.sql + Self.addedIndexes

    /// The tables whose rows a rebuild repeats (R45), with the columns that make a row unique.
    static let tables: [(name: String, key: String)] = [
        ("events", "topic, partition, \"offset\""),
        ("turns", "partition, \"offset\""),
        ("interactions", "partition, \"offset\""),
        ("user_activities", "partition, \"offset\""),
        ("dead_letters", "partition, \"offset\""),
    ]

    /// The tables that store the views' rows.
    package static let kept = [
        "events": "events_kept", "turns": "turns_kept", "interactions": "interactions_kept",
    ]

    /// `store`: one row, the prefix of the topics that the file was filled from.
    private static let store = """
        CREATE TABLE store (
            prefix TEXT NOT NULL PRIMARY KEY
        ) STRICT;

        """

    /// `offsets`: one row a partition that was ever claimed.
    ///
    /// `next`: the offset after the last recorded one, NULL before the first; `epoch`: how often it was claimed.
    private static let offsets = """
        CREATE TABLE offsets (
            topic     TEXT NOT NULL,
            partition INTEGER NOT NULL,
            next      INTEGER,
            epoch     INTEGER NOT NULL,
            PRIMARY KEY (topic, partition)
        ) STRICT;

        """

    /// `events_kept`: the stored rows of `events`, as small as possible (``EventForm``, ``PackedText``).
    ///
    /// The derived columns belong to a view, since SQLite computes generated columns for each inserted row.
    static let events = """
        CREATE TABLE "events_kept" (
            topic               TEXT NOT NULL,
            partition           INTEGER NOT NULL,
            "offset"            INTEGER NOT NULL,
            timestamp           INTEGER NOT NULL,
            time                INTEGER,
            subject             TEXT,
            user_id             TEXT,
            request             TEXT,
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

        """

    /// Finds the events of an interaction.
    static let eventsIndex = """
        CREATE INDEX events_of_request ON "events_kept" (request) WHERE request IS NOT NULL AND topic <> 'journal';

        """

    /// `events`: one row a record of any recorded topic, whether or not it can be decoded.
    ///
    /// `timestamp`: the record's own, as the broker keeps it. `id` to `request`: CloudEvents attributes, filled in as
    /// the stages do; NULL where the record is no event. The `request` of a dead letter is that of the interaction which
    /// ended with it. `key`: TEXT, or BLOB when it is not UTF-8. `headers`: a JSON
    /// array of `{"name", "value"}` in order; a value that is not UTF-8 is `"base64"` instead, a null value is null.
    /// `value`: TEXT when it is JSON, else BLOB; NULL for a tombstone. A record that is larger than intentd's own
    /// topics accept is cut as in a dead letter. `rowid`: the order in which they came into this file, the one column
    /// that is no function of the topics.
    static let eventsView = """
        CREATE VIEW events AS SELECT
            topic, partition, "offset", timestamp,
            \(PackedText.digits("packed_id")) AS id,
            \(PackedText.types.sql("packed_type")) AS type,
            \(PackedText.sources.sql("packed_source")) AS source,
            time, subject, user_id,
            \(PackedText.digits("packed_causation_id")) AS causation_id,
            request,
            \(EventForm.keySQL) AS key,
            \(EventForm.headersSQL) AS headers,
            value, rowid AS rowid
        FROM events_kept;

        """

    /// `turns_kept`: the stored rows of `turns` (``PackedText``); the columns for counting come first, unpacked.
    static let turns = """
        CREATE TABLE turns_kept (
            partition              INTEGER NOT NULL,
            "offset"               INTEGER NOT NULL,
            stage                  TEXT NOT NULL,
            outcome                TEXT NOT NULL,
            event_partition        INTEGER NOT NULL,
            event_offset           INTEGER NOT NULL,
            generation             INTEGER NOT NULL,
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
            packed_event_topic     ANY NOT NULL,
            packed_event_id        ANY NOT NULL,
            packed_event_type      ANY NOT NULL,
            packed_previous_digest ANY NOT NULL,
            packed_digest          ANY NOT NULL,
            PRIMARY KEY (partition, "offset")
        ) STRICT;

        """

    /// Finds the turns of an interaction.
    static let turnsIndex = """
        CREATE INDEX turns_of_request ON turns_kept (request) WHERE request IS NOT NULL;

        """

    /// `turns`: one row for each turn (R41), keyed by the position of its record on `journal`.
    ///
    /// `event_topic`, `event_partition`, `event_offset`: the event that was processed. `opened`: 1 if the turn began
    /// its interaction. Its reads and outputs are in the record itself: `events` with topic `journal` and the same
    /// partition and offset.
    static let turnsView = """
        CREATE VIEW turns AS SELECT
            partition, "offset", stage,
            \(PackedText.topics.sql("packed_event_topic")) AS event_topic,
            event_partition, event_offset, generation,
            \(PackedText.digits("packed_event_id")) AS event_id,
            \(PackedText.types.sql("packed_event_type")) AS event_type,
            user_id, interaction_id, request, intent, opened, at, attempt, worker, handler, handler_version, outcome,
            \(PackedText.digits("packed_previous_digest")) AS previous_digest,
            \(PackedText.digits("packed_digest")) AS digest
        FROM turns_kept;

        """

    /// Finds the turns of requests that began no interaction: repeated, rejected, or forwarded to another partition.
    static let refusals = """
        CREATE INDEX turns_without_interaction ON turns_kept (event_partition, event_offset)
            WHERE \(Self.isRefusal);

        """

    private static let isRefusal =
        "opened = 0 AND packed_event_topic = 1 AND packed_event_type = 1 AND outcome <> 'parked'"

    /// `interactions_kept`: the stored rows of `interactions`: one for each request that was read.
    ///
    /// `is_written`: whether `requested_at` is the time of the request's record; else it is `opened_at`.
    static let interactions = """
        CREATE TABLE interactions_kept (
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
            is_written         INTEGER NOT NULL,
            opened_at          INTEGER,
            first_prompt_at    INTEGER,
            responded_at       INTEGER,
            ended_at           INTEGER,
            turns              INTEGER NOT NULL,
            prompts            INTEGER NOT NULL,
            terminal_responses INTEGER NOT NULL,
            parameters         TEXT,
            response_partition INTEGER,
            response_offset    INTEGER,
            PRIMARY KEY (partition, "offset")
        ) STRICT;

        """

    static let interactionsIndexes = """
        CREATE INDEX interactions_by_id ON interactions_kept (interaction_id);
        CREATE INDEX interactions_by_user ON interactions_kept (user_id, requested_at);
        CREATE INDEX interactions_by_time ON interactions_kept (requested_at);

        """

    /// Finds the open interactions by time, and what a user has sent besides requests.
    ///
    /// An interaction leaves the first index when it ends.
    private static let addedIndexes = """
        CREATE INDEX IF NOT EXISTS interactions_open ON interactions_kept (requested_at) WHERE ended_at IS NULL;
        CREATE INDEX IF NOT EXISTS \(Self.answersIndex) ON "events_kept" (user_id, timestamp)
            WHERE \(Self.isAnswer);

        """
    static let answersIndex = "events_of_users"
    /// Selects what clients send besides `intent.requested`, which is 1 in ``PackedText/types``.
    static let isAnswer = "topic = 'requests' AND packed_type <> 1"

    /// `interactions`: one row for each interaction, keyed by the position of its request on `requests`; from the moment
    /// at which the request is recorded (R80).
    ///
    /// `requested_at`: when the request was written to its topic; of a request that is not recorded, the clock of the
    /// turn that opened the interaction. `opened_at`: that clock; NULL as long as that turn's record was not read.
    /// `status`, `code`, `end_reason`, `phase`, `parameters` (JSON): from the terminal response, or while there is none
    /// from the latest response or prompt; `status` is `queued` before the first turn, and NULL while a value is asked
    /// for. `response_partition`, `response_offset`: the position of that event on `responses`; `responded_at`: when it
    /// was written. `ended_at`: when the terminal response was written, NULL while the interaction is open. `duration`:
    /// from `requested_at`, bounded by `opened_at` (`ClientClock`), to `ended_at`. `turns`, `prompts`, `terminal_responses`: their numbers; the last is never more
    /// than 1 (R9).
    static let interactionsView = """
        CREATE VIEW interactions AS SELECT
            partition, "offset", interaction_id, user_id, intent,
            CASE WHEN opened_at IS NULL AND response_partition IS NULL AND turns = 0 THEN 'queued' ELSE status END
                AS status,
            code, end_reason, phase, requested_at, opened_at, first_prompt_at, responded_at, ended_at,
            ended_at - CASE WHEN opened_at IS NULL THEN requested_at
                ELSE max(opened_at - \(ClientClock.tolerance), min(requested_at, opened_at)) END AS duration, turns, prompts, terminal_responses, parameters, response_partition,
            response_offset, rowid AS rowid
        FROM interactions_kept
        WHERE opened_at IS NOT NULL OR response_partition IS NOT NULL OR NOT EXISTS (
            SELECT 1 FROM turns_kept WHERE \(Self.isRefusal)
                AND event_partition = interactions_kept.partition AND event_offset = interactions_kept."offset"
        );

        """

    /// Makes the view anew in a file whose view computes the columns otherwise.
    private static func replaceInteractionsView(_ database: Database) throws {
        let found = try String.fetchOne(database, sql: "SELECT sql FROM sqlite_master WHERE name = 'interactions'")
        guard let found, !Self.interactionsView.hasPrefix(found) else { return }
        try database.execute(sql: "DROP VIEW interactions; \(Self.interactionsView)")
    }

    /// `user_activities`: one row for each `user-activity.created`, keyed by its position on `user-activities`.
    ///
    /// `user_info` is JSON; `code` and `status` are the interaction's as sent to the app.
    ///
    /// `dead_letters`: one row for each record of `dead-letters`, keyed by its position. `error`, `detail`: why it
    /// could not be processed; `original_…`: its original position. The bytes are in `events`.
    private static let others = """
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

    /// Makes the tables in a new file, migrates those of an older one, or checks that they are ours.
    /// - Throws: `StoreError` with `file` when the file holds other tables or other topics, `newer` when a newer
    ///   version has made it.
    static func prepare(_ database: Database, prefix: String) throws {
        try SchemaVersion.check(database, "The record database", known: Self.version)
        try RecordMigration.begin(database, prefix: prefix)
        try RecordMigration.finish(database)
        try database.inTransaction(.immediate) {
            switch try Int.fetchOne(database, sql: "PRAGMA user_version") {
            case Self.version:
                let found = try String.fetchOne(database, sql: "SELECT prefix FROM store") ?? ""
                guard found == prefix else {
                    throw StoreError(.file, "The file holds the records of \(found), not of \(prefix).")
                }
                try database.execute(sql: Self.added)
                try Self.replaceInteractionsView(database)
            case 0 where try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0:
                try database.execute(sql: Self.sql)
                try database.execute(sql: "INSERT INTO store VALUES (?)", arguments: [prefix])
                try database.execute(sql: "PRAGMA user_version = \(Self.version)")
            default:
                throw StoreError(.file, "The file is not a record database of this version (\(Self.version)).")
            }
            return .commit
        }
    }
}
