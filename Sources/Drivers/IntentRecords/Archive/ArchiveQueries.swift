internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import SQLiteStore

/// The queries of the record archive, inside a transaction.
struct ArchiveQueries {
    let database: Database

    /// Wraps a connection that has a transaction open.
    init(_ database: Database) { self.database = database }

    /// An interaction's status: after the user's yes it is `ready`, although no response says so yet.
    static let status = """
        CASE WHEN status = 'userConfirmationRequired' AND ended_at IS NULL AND EXISTS (
            SELECT 1 FROM events AS e WHERE e.request = interactions.partition || ':' || interactions."offset"
                AND e.topic <> 'journal' AND +e.topic = 'confirmed'
        ) THEN 'ready' ELSE status END
        """

    /// The columns that ``interaction(_:)`` reads, in order.
    static let interactionColumns = """
        partition, "offset", interaction_id, user_id, intent, \(Self.status) AS status, code, end_reason, phase,
        requested_at, first_prompt_at, ended_at, turns, prompts, terminal_responses, parameters, duration
        """

    /// The columns that ``event(_:)`` reads, in order.
    static let eventColumns = """
        topic, partition, "offset", timestamp, id, type, source, time, subject, user_id, causation_id, request, key,
        headers, value
        """

    /// The interactions that a filter selects, in its order.
    func interactions(_ filter: InteractionFilter) throws -> [RecordedInteraction] {
        let condition = filter.condition
        return try self.rows(
            """
            SELECT \(Self.interactionColumns) FROM interactions WHERE \(condition.sql)
            ORDER BY requested_at DESC, partition, "offset" DESC LIMIT ?
            """,
            condition.values + [.integer(Int64(max(filter.limit, 0)))],
            Self.interaction
        )
    }

    /// The interaction of that id with the latest request.
    func latestInteraction(_ id: InteractionID) throws -> RecordedInteraction? {
        try self.interactions(ofID: id, limit: 1).first
    }

    /// The interactions of that id, the latest request first.
    func interactions(ofID id: InteractionID, limit: Int = 1_000) throws -> [RecordedInteraction] {
        try self.rows(
            """
            SELECT \(Self.interactionColumns) FROM interactions WHERE interaction_id = ?
            ORDER BY requested_at DESC, "offset" DESC, partition LIMIT ?
            """,
            [id.json, .integer(Int64(limit))],
            Self.interaction
        )
    }

    /// Everything that is recorded of an interaction.
    func story(of interaction: RecordedInteraction) throws -> InteractionStory {
        let events = try self.events(of: interaction)
        var story = InteractionStory(
            interaction: interaction,
            events: events,
            turns: try self.turns(of: interaction),
            chain: try self.chain(of: interaction, events),
            letters: try events.filter { $0.position.topic == .deadLetters && $0.request == interaction.request }
                .compactMap { try self.letterStory(at: $0.position) },
            acts: try self.acts(about: interaction)
        )
        try self.addTimes(to: &story)
        return story
    }

    /// The events of an interaction, in order of time.
    func events(of interaction: RecordedInteraction) throws -> [RecordedEvent] {
        // The stages' own events name the request; clients' events are found by the turns that processed them. Rows
        // that are found twice are merged by number, so that their columns are built once.
        try self.rows(
            """
            SELECT \(Self.eventColumns) FROM events WHERE rowid IN (
                SELECT rowid FROM events WHERE request = ?1 AND topic <> 'journal'
                UNION ALL
                SELECT rowid FROM events WHERE topic = 'requests' AND partition = ?2 AND "offset" = ?3
                UNION ALL
                SELECT rowid FROM events WHERE (topic, partition, "offset") IN (
                    SELECT event_topic, event_partition, event_offset FROM turns WHERE request = ?1
                )
            )
            """,
            [
                interaction.request.json, .integer(Int64(interaction.position.partition)),
                .integer(interaction.position.offset),
            ],
            Self.event
        )
        .sorted { Self.order(of: $0) < Self.order(of: $1) }
    }

    /// All records of a user, in the order in which they came.
    func events(of user: UserID) throws -> [RecordedEvent] {
        try self.rows(
            "SELECT \(Self.eventColumns) FROM events WHERE user_id = ?1 OR key = ?1 ORDER BY rowid",
            [user.json],
            Self.event
        )
    }

    func turns(of interaction: RecordedInteraction) throws -> [RecordedTurn] {
        let events = try self.rows(
            """
            SELECT \(Self.eventColumns) FROM events WHERE topic = 'journal' AND (partition, "offset") IN (
                SELECT partition, "offset" FROM turns WHERE request = ?
            )
            """,
            [interaction.request.json],
            Self.event
        )
        return Self.inOrder(
            events.compactMap { event in
                TurnRecord(RecordContent(key: event.key, value: event.value, headers: event.headers))
                    .map { RecordedTurn(position: event.position, timestamp: event.timestamp, record: $0) }
            }
        )
    }

    /// By time, but never against the order of the journal: a parked turn began before the note that it was parked, and
    /// workers' clocks differ.
    private static func inOrder(_ turns: [RecordedTurn]) -> [RecordedTurn] {
        var latest: [Int: Timestamp] = [:]
        let timed =
            turns.asJournaled.map { turn in
                let partition = turn.position.partition
                let at = max(turn.record.at, latest[partition] ?? turn.record.at)
                latest[partition] = at
                return (at: at, turn: turn)
            }
        // Sorting is stable only as far as the numbers say so.
        return timed.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { $0.element.turn }
    }

    /// By time; within a millisecond in the order in which the topics follow from each other.
    private static func order(of event: RecordedEvent) -> (Int64, Int, Int, Int64) {
        let topic = Topic.allCases.firstIndex(of: event.position.topic) ?? 0
        return (event.timestamp.milliseconds, topic, event.position.partition, event.position.offset)
    }

    /// Reads the rows of a query with these arguments.
    func rows<Value>(
        _ sql: String,
        _ arguments: [JSONValue] = [],
        _ value: (PreparedStatement) throws -> Value
    ) throws -> [Value] {
        let statement = try self.statement(sql, arguments)
        defer { statement.reset() }
        var values: [Value] = []
        while try statement.step() { values.append(try value(statement)) }
        return values
    }

    /// A statement with its arguments: texts, integers and nulls.
    func statement(_ sql: String, _ arguments: [JSONValue]) throws -> PreparedStatement {
        let statement = try PreparedStatement(self.database, sql)
        for (index, argument) in zip(Int32(1)..., arguments) {
            if let text = argument.string {
                try statement.bind(text, at: index)
            } else {
                try statement.bind(argument.integer, at: index)
            }
        }
        return statement
    }

    /// An interaction from a row with ``interactionColumns``.
    static func interaction(_ row: PreparedStatement) throws -> RecordedInteraction {
        RecordedInteraction(
            position: RecordPosition(.requests, Int(row.integer(0) ?? 0), row.integer(1) ?? 0),
            interactionID: row.identity(2),
            userID: row.identity(3),
            intent: row.text(4),
            status: row.text(5),
            code: row.text(6),
            endReason: row.text(7),
            phase: row.text(8),
            requestedAt: row.integer(9).map(Timestamp.init(milliseconds:)),
            firstPromptAt: row.integer(10).map(Timestamp.init(milliseconds:)),
            endedAt: row.integer(11).map(Timestamp.init(milliseconds:)),
            turns: Int(row.integer(12) ?? 0),
            prompts: Int(row.integer(13) ?? 0),
            terminalResponses: Int(row.integer(14) ?? 0),
            parameters: try row.bytes(15).map { try JSONValue(parsing: $0) },
            recordedDuration: row.integer(16)
        )
    }

    /// An event from a row with ``eventColumns``.
    static func event(_ row: PreparedStatement) throws -> RecordedEvent {
        guard let topic = row.text(0).flatMap(Topic.init(rawValue:)) else {
            throw StoreError(.value, "A row of events names an unknown topic.")
        }
        return RecordedEvent(
            position: RecordPosition(topic, Int(row.integer(1) ?? 0), row.integer(2) ?? 0),
            timestamp: Timestamp(milliseconds: row.integer(3) ?? 0),
            id: row.text(4),
            type: row.text(5),
            source: row.text(6),
            time: row.integer(7).map(Timestamp.init(milliseconds:)),
            subject: row.identity(8),
            userID: row.identity(9),
            causationID: row.text(10),
            request: row.identity(11),
            key: row.bytes(12),
            headers: try HeaderJSON.read(row, 13),
            value: row.bytes(14)
        )
    }
}
