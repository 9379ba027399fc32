/// The view `operator_actions`: the operators' log (R93), one row for each `operator.acted` on `signals`.
///
/// Acts that stages forward, and what a client has written under that name, are on other topics; an act that a stage
/// sends back to `resolve`, with its interaction, is on `signals` a second time, unchanged, and counts once. Files of
/// versions that know nothing of the log get the view when a recorder opens them; readers use ``select``, and need no
/// view.
enum OperatorActions {
    /// Finds the acts among the timers, and those on an interaction.
    private static let index = """
        CREATE INDEX IF NOT EXISTS events_of_operators ON "events_kept" (subject, timestamp)
            WHERE packed_type = 'operator.acted';

        """

    /// The rows; the plus keeps SQLite from searching the topic's timers by the primary key.
    ///
    /// `at` is the act's own time; `user_id` is NULL for an act that is about no user; `details` is JSON.
    static let select = """
        SELECT
            partition, "offset", timestamp, \(PackedText.digits("packed_id")) AS id, time AS at,
            json_extract(value, '$.act') AS act,
            json_extract(value, '$.by') AS operator,
            json_extract(value, '$.via') AS via,
            json_extract(value, '$.reason') AS reason,
            CASE WHEN user_id <> 'intentd.operators' AND (user_id NOT GLOB 'intentd.operators/[0-9]*'
                OR user_id GLOB 'intentd.operators/*[^0-9]*') THEN user_id END AS user_id,
            subject AS interaction_id, request,
            json_extract(value, '$.target') AS target,
            json_extract(value, '$.details') AS details
        FROM "events_kept" WHERE packed_type = 'operator.acted' AND +topic = 'signals' AND typeof(value) = 'text'
            AND json_extract(value, '$.copy') IS NULL AND NOT EXISTS (
                SELECT 1 FROM "events_kept" AS earlier
                WHERE earlier.packed_type = 'operator.acted' AND earlier.subject = events_kept.subject
                    AND +earlier.topic = 'signals' AND earlier.partition = events_kept.partition
                    AND earlier."offset" < events_kept."offset" AND earlier.packed_id = events_kept.packed_id
                    AND earlier.value = events_kept.value)
        """

    /// Makes the view and its index in a file without them.
    static let sql = "\(Self.index)CREATE VIEW IF NOT EXISTS operator_actions AS \(Self.select);\n"
}
