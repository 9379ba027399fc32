internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

/// What the times of an interaction need besides its own events and turns (R80).
extension ArchiveQueries {
    /// The times of interactions, in their order; nil where nothing says when one began.
    func times(of interactions: [RecordedInteraction], now: Timestamp) throws -> [InteractionTimes?] {
        try interactions.map { interaction in
            var story = InteractionStory(
                interaction: interaction,
                events: try self.events(of: interaction),
                turns: try self.turns(of: interaction)
            )
            try self.addTimes(to: &story)
            return InteractionTimes(story, now: now)
        }
    }

    /// Adds when events were written that a stage has passed on, and the answer whose turn has not begun.
    func addTimes(to story: inout InteractionStory) throws {
        var before: Int64 = -1
        for turn in story.turns.asJournaled {
            defer { before = turn.position.offset }
            let record = turn.record
            guard record.position.topic != .requests, let type = EventType(rawValue: record.eventType) else { continue }
            // A stage passes it on unchanged; a resolve that waited for an unlock continues because of it.
            let id =
                type == .interactionResumed
                ? story.events.first { $0.position == record.position }?.causationID
                : type.isInbound ? record.eventID : nil
            guard let id else { continue }
            story.writtenAt[record.position] = try self.firstWritten(id, turn.position, after: before)
        }
        guard story.interaction.endedAt == nil, let times = InteractionTimes(story, now: .distantFuture),
            times.state.isAwaiting
        else { return }
        story.answeredAt = try self.answer(to: story, waitingSince: times.since)
    }

    /// When an event was written whose turn in an earlier stage is between two others; nil if that turn is not found.
    private func firstWritten(_ id: String, _ journal: RecordPosition, after before: Int64) throws -> Timestamp? {
        try self.rows(
            """
            SELECT timestamp FROM events WHERE (topic, partition, "offset") = (
                SELECT event_topic, event_partition, event_offset FROM turns
                WHERE partition = ?1 AND "offset" < ?2 AND "offset" > ?3 AND event_id = ?4 AND event_topic = 'requests'
                ORDER BY "offset" DESC LIMIT 1
            )
            """,
            [.integer(Int64(journal.partition)), .integer(journal.offset), .integer(before), .string(id)]
        ) { Timestamp(milliseconds: $0.integer(0) ?? 0) }
        .first
    }

    /// How many events of a user are examined: those that follow the beginning of the wait.
    private static let examinedEvents: Int64 = 200

    /// When an event was written that ends what an open interaction waits for, and has had no turn.
    ///
    /// In a file of an earlier version, which has no index for this, no event is found.
    private func answer(to story: InteractionStory, waitingSince since: Timestamp) throws -> Timestamp? {
        let interaction = story.interaction
        guard let user = interaction.userID,
            try self.database.indexes(on: "events_kept").contains(where: { $0.name == RecordSchema.answersIndex })
        else { return nil }
        let prompt = story.events.last { $0.position.topic == .responses && $0.type == EventType.promptIssued.rawValue }
        let request = story.events.first { $0.position == interaction.position }
        let candidates = try self.rows(
            """
            SELECT \(Self.eventColumns) FROM events WHERE rowid IN (\(Self.answersSQL)) ORDER BY "offset"
            """,
            [
                .integer(Int64(interaction.position.partition)), .integer(interaction.position.offset),
                .integer(Self.examinedEvents), user.json, .integer(since.milliseconds - 1_000),
            ],
            Self.event
        )
        for event in candidates where Self.concerns(event, interaction, prompt: prompt, request: request) {
            if try !self.hasTurn(event, after: story.turns.map(\.position.offset).max() ?? -1) {
                return event.timestamp
            }
        }
        return nil
    }

    /// The plus keeps SQLite from searching all requests of the partition by the primary key.
    static let answersSQL = """
        SELECT rowid FROM events_kept WHERE \(RecordSchema.isAnswer) AND +partition = ?1 AND +"offset" > ?2
            AND user_id = ?4 AND timestamp >= ?5
        ORDER BY timestamp LIMIT ?3
        """

    /// Whether an event ends what an interaction waits for.
    private static func concerns(
        _ event: RecordedEvent,
        _ interaction: RecordedInteraction,
        prompt: RecordedEvent?,
        request: RecordedEvent?
    ) -> Bool {
        switch event.type.flatMap(EventType.init(rawValue:)) {
        case .promptAnswered:
            let asked = Self.data(of: event)?["promptId"]?.string
            return asked != nil && asked == prompt?.json?["promptId"]?.string
        case .interactionCancelled, .appResponded, .operatorDecided: return event.subject == interaction.interactionID
        case .deviceUnlocked:
            guard prompt?.json?["kind"] == "unlockRequired" else { return false }
            return Self.data(of: event)?["device"]?["id"] == Self.data(of: request)?["device"]?["id"]
        case .userAuthenticated: return prompt?.json?["kind"] == "authenticationRequired"
        default: return false
        }
    }

    /// An event's data, in either mode of CloudEvents.
    private static func data(of event: RecordedEvent?) -> JSONValue? {
        let json = event?.json
        return json?["specversion"] == nil ? json : json?["data"]
    }

    /// Whether a turn has processed a client's event, after a turn of the journal.
    private func hasTurn(_ event: RecordedEvent, after offset: Int64) throws -> Bool {
        let outcomes = try self.rows(
            """
            SELECT outcome, stage FROM turns WHERE partition = ?1 AND "offset" > ?2 AND event_id = ?3
                AND outcome NOT IN ('forwarded', 'parked') LIMIT 1
            """,
            [.integer(Int64(event.position.partition)), .integer(offset), event.id.map(JSONValue.string) ?? .null]
        ) { $0.text(0) }
        return !outcomes.isEmpty
    }
}
