internal import GRDB
internal import IntentEvents
internal import IntentRuntime

/// The tables with one row for each record, inside a transaction: `events_kept`, `turns_kept`, `user_activities`,
/// `dead_letters`.
struct EventTables {
    private var events: RowStatement
    private var turns: RowStatement
    private var userActivities: RowStatement
    private var deadLetters: RowStatement

    private static let eventColumns = [
        "topic", "partition", "\"offset\"", "timestamp", "time", "subject", "user_id", "request", "form", "packed_id",
        "packed_type", "packed_source", "packed_causation_id", "packed_key", "packed_headers", "value",
    ]
    private static let turnColumns = [
        "partition", "\"offset\"", "stage", "outcome", "event_partition", "event_offset", "generation", "user_id",
        "interaction_id", "request", "intent", "opened", "at", "attempt", "worker", "handler", "handler_version",
        "packed_event_topic", "packed_event_id", "packed_event_type", "packed_previous_digest", "packed_digest",
    ]
    private static let activityColumns = [
        "partition", "\"offset\"", "interaction_id", "request", "user_id", "created_at", "activity_type", "title",
        "user_info", "intent", "code", "status", "group_identifier",
    ]
    private static let deadLetterColumns = [
        "partition", "\"offset\"", "timestamp", "error", "detail", "user_id", "type", "original_topic",
        "original_partition", "original_offset", "original_timestamp", "exception_class", "exception_message",
    ]
    /// The bytes of arguments; the caller resets it for each record.
    let arguments = ArgumentBytes()

    init(_ database: Database) throws {
        self.events = try RowStatement(into: "events_kept", Self.eventColumns, database, self.arguments)
        self.turns = try RowStatement(into: "turns_kept", Self.turnColumns, database, self.arguments)
        self.userActivities = try RowStatement(into: "user_activities", Self.activityColumns, database, self.arguments)
        self.deadLetters = try RowStatement(into: "dead_letters", Self.deadLetterColumns, database, self.arguments)
    }

    /// Inserts the rows that wait for others (``RowStatement``); the caller calls it at the end.
    mutating func flush() throws {
        try self.events.flush()
        try self.turns.flush()
        try self.userActivities.flush()
        try self.deadLetters.flush()
    }

    /// Writes a record's rows, or keeps them until ``flush()``.
    ///
    /// - Parameters:
    ///   - scanned: Its scanned contents.
    ///   - content: Its content.
    ///   - position: Its position.
    ///   - parts: The parts that are kept.
    ///   - kept: The content that holds them.
    ///   - topic: The topic.
    /// - Throws: `DatabaseError`.
    mutating func insert(
        _ scanned: ScannedRecord,
        of content: RecordContent,
        at position: RowPosition,
        _ parts: RecordParts,
        _ kept: RecordContent,
        on topic: Topic
    ) throws {
        try self.insert(parts, at: position, on: topic, scanned.columns)
        switch scanned.meaning {
        case .event: break
        case .turn(let turn): try self.insert(turn, at: position, digest: .bytes(RecordDigest.bytes(of: kept)))
        case .userActivity(let activity): try self.insert(activity, of: scanned.columns, at: position)
        case .deadLetter: try self.insert(DeadLetterHeaders(content), of: scanned.columns, at: position)
        }
    }

    /// Writes a row of `events_kept`.
    mutating func insert(
        _ parts: RecordParts,
        at position: RowPosition,
        on topic: Topic,
        _ columns: EventColumns
    ) throws {
        let form = EventForm(parts, columns, self.arguments)
        self.events.bind(text: self.arguments.add(topic.rawValue))
        self.events.bind(position.partition)
        self.events.bind(position.offset)
        self.events.bind(position.timestamp)
        self.events.bind(columns.time)
        self.events.bind(text: columns.subject)
        self.events.bind(text: columns.userID)
        self.events.bind(text: columns.request)
        self.events.bind(form.form)
        self.events.bind(digits: columns.id, count: Self.idDigits)
        self.events.bind(columns.type, in: PackedText.types)
        self.events.bind(columns.source, in: PackedText.sources)
        self.events.bind(digits: columns.causationID, count: Self.idDigits)
        if form.form & EventForm.Bit.key != 0 {
            self.events.bind(text: nil)
        } else if let key = parts.key, !key.isUTF8 {
            self.events.bind(blob: key)
        } else {
            self.events.bind(text: parts.key)
        }
        self.events.bind(text: form.headers)
        if columns.isJSON {
            self.events.bind(text: parts.value)
        } else {
            self.events.bind(blob: parts.value)
        }
        try self.events.run()
    }

    /// The number of digits in the ids of intentd's own events, and in digests.
    private static let idDigits = 32
    private static let digestDigits = 64

    /// A digest in either form.
    enum Digest {
        case bytes([UInt8])
        /// Its digits in an older file.
        case digits(RecordBytes?)
    }

    /// Writes a row of `turns_kept`.
    mutating func insert(_ turn: ScannedTurn, at position: RowPosition, digest: Digest) throws {
        self.turns.bind(position.partition)
        self.turns.bind(position.offset)
        self.turns.bind(text: self.arguments.add(turn.stage.rawValue))
        self.turns.bind(text: self.arguments.add(turn.outcome.rawValue))
        self.turns.bind(Int64(turn.position.partition))
        self.turns.bind(turn.position.offset)
        self.turns.bind(turn.generation)
        self.turns.bind(text: turn.userID)
        self.turns.bind(text: turn.interactionID)
        self.turns.bind(text: turn.request)
        self.turns.bind(text: turn.intent)
        self.turns.bind(turn.opened ? 1 : 0)
        self.turns.bind(turn.at)
        self.turns.bind(turn.attempt)
        self.turns.bind(text: turn.worker)
        self.turns.bind(text: turn.handlerName)
        self.turns.bind(text: turn.handlerVersion)
        self.turns.bind(self.arguments.add(turn.position.topic.rawValue), in: PackedText.topics)
        self.turns.bind(digits: turn.eventID, count: Self.idDigits)
        self.turns.bind(turn.eventType, in: PackedText.types)
        self.turns.bind(digits: turn.previousDigest, count: Self.digestDigits)
        switch digest {
        case .bytes(let bytes): self.turns.bind(blob: self.arguments.add(bytes))
        case .digits(let digits): self.turns.bind(digits: digits, count: Self.digestDigits)
        }
        try self.turns.run()
    }

    private mutating func insert(_ activity: ScannedActivity, of event: EventColumns, at position: RowPosition) throws {
        self.userActivities.bind(position.partition)
        self.userActivities.bind(position.offset)
        self.userActivities.bind(text: activity.interactionID)
        self.userActivities.bind(text: event.request)
        self.userActivities.bind(text: event.userID)
        self.userActivities.bind(event.time)
        self.userActivities.bind(text: activity.activityType)
        self.userActivities.bind(text: activity.title)
        self.userActivities.bind(text: activity.userInfo)
        self.userActivities.bind(text: activity.intent)
        self.userActivities.bind(text: activity.code)
        self.userActivities.bind(text: activity.status)
        self.userActivities.bind(text: activity.groupIdentifier)
        try self.userActivities.run()
    }

    private mutating func insert(_ headers: DeadLetterHeaders, of event: EventColumns, at position: RowPosition) throws
    {
        self.deadLetters.bind(position.partition)
        self.deadLetters.bind(position.offset)
        self.deadLetters.bind(position.timestamp)
        self.deadLetters.bind(text: self.arguments.add(headers.error))
        self.deadLetters.bind(text: self.arguments.add(headers.detail))
        self.deadLetters.bind(text: event.userID)
        self.deadLetters.bind(text: event.type)
        self.deadLetters.bind(text: self.arguments.add(headers.topic))
        self.deadLetters.bind(headers.partition)
        self.deadLetters.bind(headers.offset)
        self.deadLetters.bind(headers.timestamp)
        self.deadLetters.bind(text: self.arguments.add(headers.exceptionClass))
        self.deadLetters.bind(text: self.arguments.add(headers.exceptionMessage))
        try self.deadLetters.run()
    }
}
