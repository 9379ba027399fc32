package import IntentEvents
internal import IntentKit

/// Which interactions `intentd list` shows; a nil member does not filter.
package struct InteractionFilter: Hashable, Sendable {
    package var userID: UserID?
    package var intent: String?
    /// Interactions with this status (R10).
    package var status: String?
    /// Interactions requested at this time or later.
    package var since: Timestamp?
    /// The maximum number; the newest ones are shown.
    package var limit: Int

    package init(
        userID: UserID? = nil,
        intent: String? = nil,
        status: String? = nil,
        since: Timestamp? = nil,
        limit: Int = 50
    ) {
        self.userID = userID
        self.intent = intent
        self.status = status
        self.since = since
        self.limit = limit
    }
}

extension InteractionFilter {
    /// The condition in SQL, with its arguments: one part for each member that is set, so that an index can be used.
    var condition: (sql: String, values: [JSONValue]) {
        var (parts, values): ([String], [JSONValue]) = ([], [])
        func add(_ sql: String, _ value: JSONValue?) {
            guard let value else { return }
            parts.append(sql)
            values.append(value)
        }
        add("user_id = ?", self.userID?.json)
        add("intent = ?", self.intent.map(JSONValue.string))
        // The stored status suffices for most; only a yes has to be looked for.
        let isComputed = self.status == "ready" || self.status == "userConfirmationRequired"
        add("\(isComputed ? ArchiveQueries.status : "status") = ?", self.status.map(JSONValue.string))
        add("requested_at >= ?", self.since.map { .integer($0.milliseconds) })
        return (parts.isEmpty ? "1" : parts.joined(separator: " AND "), values)
    }

    /// The order in SQL.
    var order: String { "requested_at DESC, partition, \"offset\" DESC" }
}
