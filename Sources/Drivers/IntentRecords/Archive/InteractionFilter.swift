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
    /// The condition in SQL: one part for each member that is set, so that an index can be used.
    var condition: QueryCondition {
        // The stored status suffices for most; only a yes has to be looked for.
        let isComputed = self.status == "ready" || self.status == "userConfirmationRequired"
        return QueryCondition(all: [
            QueryCondition("user_id = ?", self.userID?.text), QueryCondition("intent = ?", self.intent),
            QueryCondition("\(isComputed ? ArchiveQueries.status : "status") = ?", self.status),
            QueryCondition("requested_at >= ?", self.since),
        ])
    }
}
