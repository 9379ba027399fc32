/// How a table is compared with the rebuilt one.
struct ComparedTable: Sendable {
    let name: String
    /// The columns that make a row unique.
    let key: [String]
    /// Columns that are no function of the topics.
    var ignored: Set<String> = []
    /// The topic whose positions are the keys of its rows; nil if the row itself names it, or has none.
    var topic: String?
    /// Columns with other values in files of older versions, which no recorder has migrated yet.
    var newerValues: Set<String> = []
    /// Columns that are NULL in some rows of files of older versions, with the condition for those rows.
    var laterColumns: [String: String] = [:]
    /// The condition for rows that files of older versions have too.
    var alsoOfOlderVersions = ""

    /// All tables (R46).
    static let all: [ComparedTable] = [
        ComparedTable(
            name: "events",
            key: ["topic", "partition", "offset"],
            laterColumns: ["request": "r.topic = 'dead-letters'"]
        ),
        ComparedTable(name: "turns", key: ["partition", "offset"], topic: "journal"),
        ComparedTable(
            name: "interactions",
            key: ["partition", "offset"],
            newerValues: ["requested_at", "first_prompt_at", "responded_at", "ended_at", "duration"],
            alsoOfOlderVersions: "AND r.status IS NOT 'queued'"
        ),
        ComparedTable(name: "user_activities", key: ["partition", "offset"], topic: "user-activities"),
        ComparedTable(name: "dead_letters", key: ["partition", "offset"], topic: "dead-letters"),
        // How often a partition was claimed is no function of the topics.
        ComparedTable(name: "offsets", key: ["topic", "partition"], ignored: ["epoch"]),
    ]
}
