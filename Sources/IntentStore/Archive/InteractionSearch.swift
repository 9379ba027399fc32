package import IntentEvents

/// What is looked for among the recorded interactions, the newest first and page by page; what is nil does not filter.
///
/// One page looks at no more than ``reach`` rows, however few of them match: its time does not grow with the file. What
/// it has not looked at yet begins at ``InteractionPage/next``.
package struct InteractionSearch: Hashable, Sendable {
    /// How an interaction stands.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It has no terminal response.
        case open
        /// It has one.
        case ended
    }

    /// Where a page begins: behind this row.
    package struct Mark: Hashable, Sendable {
        /// When it was requested.
        package var requestedAt: Timestamp
        /// Its number in the file.
        package var row: Int64

        /// Names a row.
        package init(requestedAt: Timestamp, row: Int64) {
            self.requestedAt = requestedAt
            self.row = row
        }
    }

    /// Those of this user.
    package var userID: UserID?
    /// Those for this intent.
    package var intent: String?
    /// Those with this code, status or end reason.
    package var code: String?
    /// Those that this stage spoke of last.
    package var stage: String?
    /// Those that stand so.
    package var state: State?
    /// Those requested then or later.
    package var since: Timestamp?
    /// Those requested before.
    package var until: Timestamp?
    /// Those with this text in their id, user, intent, code, end reason or parameters, in any case of ASCII's letters.
    package var text: String?
    /// Where the page begins; nil for the newest.
    package var after: Mark?
    /// How many at most.
    package var limit = 50
    /// How many rows are looked at.
    package var reach = 50_000

    /// Looks for everything.
    package init() {}

    /// Whether some rows that are looked at may be left out.
    var isSelective: Bool {
        self.intent != nil || self.code != nil || self.stage != nil || self.state != nil || self.text != nil
    }
}
