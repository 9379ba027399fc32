internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

extension ArchiveQueries {
    /// A condition with its arguments.
    private struct Condition {
        var sql: String
        var values: [JSONValue] = []
    }

    /// A page of a search.
    ///
    /// The query follows an index, by time or by user and time, as far as the last row that may be examined, which is
    /// found in the index alone. Rows of one time are ordered by their number in the file, as in the index, so nothing is
    /// sorted.
    func page(_ search: InteractionSearch) throws -> InteractionPage {
        switch search.state {
        case .at(let state) where state != .ended: try self.page(search, in: state)
        case .open, .at, nil: InteractionPage(try self.rows(search))
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
        var page = InteractionPage(interactions: [], next: rows.next, isCutShort: rows.next != nil)
        var last: InteractionSearch.Mark?
        for (interaction, number) in rows.found {
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

    /// Interactions with their numbers in the file, and where the next ones begin.
    typealias Rows = (
        found: [(interaction: RecordedInteraction, number: Int64)], next: InteractionSearch.Mark?, isCutShort: Bool
    )

    private func rows(_ search: InteractionSearch) throws -> Rows {
        let limit = max(1, search.limit)
        // One more than is shown, to find out whether there are more.
        let scanLimit = max(limit + 1, search.scanLimit)
        var conditions = Self.along(search)
        let last = search.isSelective ? try self.mark(at: scanLimit, Self.all(conditions)) : nil
        if let last { conditions.append(Self.row(">=", last)) }
        let condition = Self.all(conditions + Self.matching(search))
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT \(Self.interactionColumns), rowid AS number FROM interactions WHERE \(condition.sql)
            ORDER BY requested_at DESC, rowid DESC LIMIT ?
            """
        )
        try self.bind(condition.values + [.integer(Int64(limit + 1))], to: statement)
        var found = try self.rows(of: statement) { row in
            (interaction: try Self.interaction(row), number: row.integer(17) ?? 0)
        }
        if found.count > limit {
            found.removeLast()
            let next = found.last.flatMap { Self.mark($0.0, $0.1) }
            return (found, next, false)
        }
        return (found, last, last != nil)
    }

    /// The interaction whose request has that position; nil when there is none.
    func interaction(at position: RecordPosition) throws -> RecordedInteraction? {
        let statement = try PreparedStatement(
            self.database,
            "SELECT \(Self.interactionColumns) FROM interactions WHERE partition = ? AND \"offset\" = ?"
        )
        try self.bind([.integer(Int64(position.partition)), .integer(position.offset)], to: statement)
        return try self.rows(of: statement, Self.interaction).first
    }

    /// The record at that position; nil when there is none.
    func event(at position: RecordPosition) throws -> RecordedEvent? {
        let statement = try PreparedStatement(
            self.database,
            "SELECT \(Self.eventColumns) FROM events WHERE topic = ? AND partition = ? AND \"offset\" = ?"
        )
        let parameters: [JSONValue] = [
            .string(position.topic.rawValue), .integer(Int64(position.partition)), .integer(position.offset),
        ]
        try self.bind(parameters, to: statement)
        return try self.rows(of: statement, Self.event).first
    }

    /// The last row that is examined, if there are that many.
    private func mark(at scanLimit: Int, _ along: Condition) throws -> InteractionSearch.Mark? {
        // Of the table: the view would read each row.
        let statement = try PreparedStatement(
            self.database,
            """
            SELECT requested_at, rowid FROM interactions_kept WHERE \(along.sql)
            ORDER BY requested_at DESC, rowid DESC LIMIT 1 OFFSET ?
            """
        )
        try self.bind(along.values + [.integer(Int64(scanLimit - 1))], to: statement)
        return
            try self.rows(of: statement) { row in
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
    private static func along(_ search: InteractionSearch) -> [Condition] {
        // An interaction whose first turn is not recorded has no time; it appears when it has one.
        var parts = [Condition(sql: "requested_at IS NOT NULL")]
        if search.state == .open { parts[0].sql = Self.isOpen }
        if let user = search.userID { parts.append(Condition(sql: "user_id = ?", values: [user.json])) }
        if let since = search.since {
            parts.append(Condition(sql: "requested_at >= ?", values: [.integer(since.milliseconds)]))
        }
        if let until = search.until {
            parts.append(Condition(sql: "requested_at < ?", values: [.integer(until.milliseconds)]))
        }
        if let mark = search.after { parts.append(Self.row("<", mark)) }
        return parts
    }

    /// The rows before or after one of them, in the order of time.
    private static func row(_ comparison: String, _ mark: InteractionSearch.Mark) -> Condition {
        Condition(
            sql: "(requested_at, rowid) \(comparison) (?, ?)",
            values: [.integer(mark.requestedAt.milliseconds), .integer(mark.row)]
        )
    }

    /// The conditions that are checked for each row.
    private static func matching(_ search: InteractionSearch) -> [Condition] {
        var parts: [Condition] = []
        if let intent = search.intent { parts.append(Condition(sql: "intent = ?", values: [.string(intent)])) }
        if let stage = search.stage { parts.append(Condition(sql: "phase = ?", values: [.string(stage)])) }
        if let code = search.code {
            parts.append(
                Condition(
                    sql: "? IN (code, status, end_reason)",
                    values: [.string(code)]
                )
            )
        }
        if let status = search.status { parts.append(Condition(sql: "status = ?", values: [.string(status)])) }
        parts += search.parameters.map(Self.condition)
        if search.state == .ended { parts.append(Condition(sql: "ended_at IS NOT NULL")) }
        if let text = search.text {
            let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
            let columns = ["interaction_id", "user_id", "intent", "code", "end_reason", "parameters"]
            parts.append(
                Condition(
                    sql: "(\(columns.map { "\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ")))",
                    values: columns.map { _ in .string("%\(escaped)%") }
                )
            )
        }
        return parts
    }

    private static func condition(_ match: InteractionSearch.ParameterMatch) -> Condition {
        let intents = match.intents.map { _ in "?" }.joined(separator: ", ")
        return Condition(
            sql: """
                (intent IN (\(intents)) AND EXISTS (
                    SELECT 1 FROM json_each(parameters, ?) v
                    WHERE lower(CASE v.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE v.value END) = lower(?)
                ))
                """,
            values: match.intents.map(JSONValue.string) + [.string("$.\"\(match.name)\""), .string(match.value)]
        )
    }

    private static func all(_ parts: [Condition]) -> Condition {
        Condition(sql: parts.map(\.sql).joined(separator: " AND "), values: parts.flatMap(\.values))
    }

    func bind(_ values: [JSONValue], to statement: PreparedStatement) throws {
        for (index, value) in zip(Int32(1)..., values) {
            if let text = value.string {
                try statement.bind(text, at: index)
            } else {
                try statement.bind(value.integer, at: index)
            }
        }
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

extension InteractionPage {
    fileprivate init(_ rows: ArchiveQueries.Rows) {
        self.init(interactions: rows.found.map(\.interaction), next: rows.next, isCutShort: rows.isCutShort)
    }
}
