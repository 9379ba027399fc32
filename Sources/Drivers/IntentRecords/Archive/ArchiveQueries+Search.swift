internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

extension ArchiveQueries {
    /// A page of a search.
    ///
    /// The query follows an index, by time or by user and time, as far as the last row that may be examined, which is
    /// found in the index alone. Rows of one time are ordered by their number in the file, as in the index, so nothing is
    /// sorted.
    func page(_ search: InteractionSearch) throws -> InteractionPage {
        switch search.state {
        case .at(let state) where state != .ended: try self.page(search, in: state)
        case .open, .at, nil: try self.rows(search).page
        }
    }

    /// A page of the open interactions in a state.
    ///
    /// No column has the state: it is computed for the open interactions that match, of which a limited number is
    /// examined.
    private func page(_ search: InteractionSearch, in state: InteractionState) throws -> InteractionPage {
        var open = search
        open.state = .open
        open.limit = max(1, search.stateLimit)
        let rows = try self.rows(open)
        var page = InteractionPage(interactions: [], next: rows.page.next, isCutShort: rows.page.next != nil)
        var last: InteractionSearch.Mark?
        for (interaction, number) in zip(rows.page.interactions, rows.numbers) {
            let times = try self.times(of: [interaction], now: .distantFuture)
            guard times.first??.state == state else { continue }
            guard page.interactions.count < max(1, search.limit) else {
                (page.next, page.isCutShort) = (last, false)
                return page
            }
            page.interactions.append(interaction)
            last = Self.mark(interaction, number)
        }
        return page
    }

    /// A page with the interactions' numbers in the file.
    private func rows(_ search: InteractionSearch) throws -> (page: InteractionPage, numbers: [Int64]) {
        let limit = max(1, search.limit)
        // One more than is shown, to find out whether there are more.
        let scanLimit = max(limit + 1, search.scanLimit)
        var conditions = Self.along(search)
        let last = search.isSelective ? try self.mark(at: scanLimit, QueryCondition(all: conditions)) : nil
        if let last { conditions.append(Self.row(">=", last)) }
        let condition = QueryCondition(all: conditions + Self.matching(search))
        var found = try self.rows(
            """
            SELECT \(Self.interactionColumns), rowid AS number FROM interactions WHERE \(condition.sql)
            ORDER BY requested_at DESC, rowid DESC LIMIT ?
            """,
            condition.values + [.integer(Int64(limit + 1))]
        ) { row in (try Self.interaction(row), row.integer(17) ?? 0) }
        var (next, isCutShort) = (last, last != nil)
        if found.count > limit {
            found.removeLast()
            (next, isCutShort) = (found.last.flatMap { Self.mark($0.0, $0.1) }, false)
        }
        return (InteractionPage(interactions: found.map(\.0), next: next, isCutShort: isCutShort), found.map(\.1))
    }

    /// The interaction whose request has that position; nil when there is none.
    func interaction(at position: RecordPosition) throws -> RecordedInteraction? {
        try self.rows(
            "SELECT \(Self.interactionColumns) FROM interactions WHERE partition = ? AND \"offset\" = ?",
            [.integer(Int64(position.partition)), .integer(position.offset)],
            Self.interaction
        )
        .first
    }

    /// The record at that position; nil when there is none.
    func event(at position: RecordPosition) throws -> RecordedEvent? {
        try self.rows(
            "SELECT \(Self.eventColumns) FROM events WHERE topic = ? AND partition = ? AND \"offset\" = ?",
            [.string(position.topic.rawValue), .integer(Int64(position.partition)), .integer(position.offset)],
            Self.event
        )
        .first
    }

    /// The last row that is examined, if there are that many.
    private func mark(at scanLimit: Int, _ along: QueryCondition) throws -> InteractionSearch.Mark? {
        // Of the table: the view would read each row.
        try self.rows(
            """
            SELECT requested_at, rowid FROM interactions_kept WHERE \(along.sql)
            ORDER BY requested_at DESC, rowid DESC LIMIT 1 OFFSET ?
            """,
            along.values + [.integer(Int64(scanLimit - 1))]
        ) { row in
            InteractionSearch.Mark(
                requestedAt: Timestamp(milliseconds: row.integer(0) ?? 0),
                row: row.integer(1) ?? 0
            )
        }
        .first
    }

    private static func mark(_ interaction: RecordedInteraction, _ row: Int64) -> InteractionSearch.Mark? {
        interaction.requestedAt.map { InteractionSearch.Mark(requestedAt: $0, row: row) }
    }

    /// The conditions that an index answers, with columns of the table `interactions_kept` alone.
    private static func along(_ search: InteractionSearch) -> [QueryCondition?] {
        [
            // An interaction whose first turn is not recorded has no time; it appears when it has one.
            QueryCondition(sql: search.state == .open ? Self.isOpen : "requested_at IS NOT NULL"),
            QueryCondition("user_id = ?", search.userID?.text), QueryCondition("requested_at >= ?", search.since),
            QueryCondition("requested_at < ?", search.until), search.after.map { Self.row("<", $0) },
        ]
    }

    /// The rows before or after one of them, in the order of time.
    private static func row(_ comparison: String, _ mark: InteractionSearch.Mark) -> QueryCondition {
        QueryCondition(
            sql: "(requested_at, rowid) \(comparison) (?, ?)",
            values: [.integer(mark.requestedAt.milliseconds), .integer(mark.row)]
        )
    }

    /// The conditions that are checked for each row.
    private static func matching(_ search: InteractionSearch) -> [QueryCondition?] {
        var parts = [
            QueryCondition("intent = ?", search.intent), QueryCondition("phase = ?", search.stage),
            QueryCondition("? IN (code, status, end_reason)", search.code), QueryCondition("status = ?", search.status),
        ]
        parts += search.parameters.map(Self.condition)
        if search.state == .ended { parts.append(QueryCondition(sql: "ended_at IS NOT NULL")) }
        if let text = search.text {
            let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
            let columns = ["interaction_id", "user_id", "intent", "code", "end_reason", "parameters"]
            parts.append(
                QueryCondition(
                    sql: "(\(columns.map { "\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ")))",
                    values: columns.map { _ in .string("%\(escaped)%") }
                )
            )
        }
        return parts
    }

    private static func condition(_ match: InteractionSearch.ParameterMatch) -> QueryCondition {
        let intents = match.intents.map { _ in "?" }.joined(separator: ", ")
        return QueryCondition(
            sql: """
                (intent IN (\(intents)) AND EXISTS (
                    SELECT 1 FROM json_each(parameters, ?) v
                    WHERE lower(CASE v.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE v.value END) = lower(?)
                ))
                """,
            values: match.intents.map(JSONValue.string) + [.string("$.\"\(match.name)\""), .string(match.value)]
        )
    }
}

package struct InteractionPage: Hashable, Sendable {
    /// The interactions, the newest first.
    package var interactions: [RecordedInteraction]
    /// Where the next page begins; nil when there is none.
    package var next: InteractionSearch.Mark?
    /// Whether the page ends because of the limit of examined rows, not because it is full.
    package var isCutShort: Bool
}
