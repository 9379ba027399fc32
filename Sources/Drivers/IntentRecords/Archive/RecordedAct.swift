internal import GRDB
package import IntentEvents
package import IntentKit
internal import SQLiteStore

/// An act of an operator: a row of `operator_actions` (R93).
package struct RecordedAct: Hashable, Sendable {
    package var position: RecordPosition
    /// The act's own time, by the operator's clock; without one, the record's.
    package var at: Timestamp
    /// The kind, as `OperatorAct.Kind` or a newer version names it.
    package var act: String
    /// The operator's name.
    package var by: String
    /// Where it was done: `terminal` or `console`.
    package var via: String?
    package var reason: String?
    package var userID: UserID?
    package var interactionID: InteractionID?
    package var request: RequestID?
    /// What it is about besides a user or an interaction: a dead letter's name, a worker, or an intent or app.
    package var target: String?
    /// What was done, by kind: the stages of a pause, the event of a vocabulary.
    package var details: JSONValue?

    /// What is printed of it.
    package var json: JSONValue {
        .members([
            "act": .string(self.act),
            "at": .string(self.at.description),
            "by": .string(self.by),
            "details": self.details,
            "interaction": self.interactionID?.json,
            "position": .string(self.position.description),
            "reason": self.reason.map(JSONValue.string),
            "request": self.request?.json,
            "target": self.target.map(JSONValue.string),
            "user": self.userID?.json,
            "via": self.via.map(JSONValue.string),
        ])
    }
}

/// Selects acts of operators; a nil member does not filter.
package struct ActFilter: Hashable, Sendable {
    package var by: String?
    package var act: String?
    package var userID: UserID?
    package var interactionID: InteractionID?
    package var request: RequestID?
    package var target: String?
    /// Acts whose records were written at this time or later, by the records' timestamps, not by ``RecordedAct/at``.
    package var since: Timestamp?
    /// Acts whose records were written before this time.
    package var until: Timestamp?

    package init() {}
}

extension RecordArchive {
    /// The acts of operators that a filter selects, the newest first.
    /// - Throws: `StoreError`; ``StoreBusyError``.
    package func acts(_ filter: ActFilter, limit: Int) async throws -> [RecordedAct] {
        try await self.read { try ArchiveQueries($0).acts(filter, limit: limit) }
    }
}

extension ArchiveQueries {
    /// The acts on an interaction, the oldest first: those that name its request, or no request and its user.
    func acts(about interaction: RecordedInteraction) throws -> [RecordedAct] {
        guard let id = interaction.interactionID else { return [] }
        var filter = ActFilter()
        filter.interactionID = id
        return try self.acts(filter, limit: 1_000)
            .filter { act in
                act.request.map { $0 == interaction.request } ?? (act.userID == interaction.userID)
            }
            .reversed()
    }

    /// The acts that a filter selects, the newest first.
    func acts(_ filter: ActFilter, limit: Int) throws -> [RecordedAct] {
        let condition = QueryCondition(all: [
            QueryCondition("operator = ?", filter.by), QueryCondition("act = ?", filter.act),
            QueryCondition("user_id = ?", filter.userID?.text),
            QueryCondition("interaction_id = ?", filter.interactionID?.text),
            QueryCondition("request = ?", filter.request?.text), QueryCondition("target = ?", filter.target),
            QueryCondition("timestamp >= ?", filter.since), QueryCondition("timestamp < ?", filter.until),
        ])
        return try self.rows(
            """
            SELECT partition, "offset", coalesce(at, timestamp), act, operator, via, reason, user_id, interaction_id,
                request, target, details
            FROM (\(OperatorActions.select)) WHERE \(condition.sql)
            ORDER BY timestamp DESC, partition DESC, "offset" DESC LIMIT ?
            """,
            condition.values + [.integer(Int64(limit))]
        ) { row in
            RecordedAct(
                position: RecordPosition(.signals, Int(row.integer(0) ?? 0), row.integer(1) ?? 0),
                at: Timestamp(milliseconds: row.integer(2) ?? 0),
                act: row.text(3) ?? "",
                by: row.text(4) ?? "",
                via: row.text(5),
                reason: row.text(6),
                userID: row.identity(7),
                interactionID: row.identity(8),
                request: row.identity(9),
                target: row.text(10),
                details: try row.bytes(11).map { try JSONValue(parsing: $0) }
            )
        }
    }
}
