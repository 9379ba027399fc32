internal import GRDB
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// The tables with one row a record, inside a transaction: `events`, `turns`, `user_activities`, `dead_letters`.
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
        "partition", "\"offset\"", "event_partition", "event_offset", "generation", "user_id", "interaction_id",
        "request", "intent", "opened", "at", "attempt", "worker", "handler", "handler_version", "packed_stage",
        "packed_event_topic", "packed_event_id", "packed_event_type", "packed_outcome", "packed_previous_digest",
        "packed_digest",
    ]
    private static let activityColumns = [
        "partition", "\"offset\"", "interaction_id", "request", "user_id", "created_at", "activity_type", "title",
        "user_info", "intent", "code", "status", "group_identifier",
    ]
    private static let deadLetterColumns = [
        "partition", "\"offset\"", "timestamp", "error", "detail", "user_id", "type", "original_topic",
        "original_partition", "original_offset", "original_timestamp", "exception_class", "exception_message",
    ]
    private static let topicNames = Dictionary(
        uniqueKeysWithValues: Topic.allCases.map { ($0, Array($0.rawValue.utf8)) }
    )

    /// Prepares the statements.
    init(_ database: Database) throws {
        let bytes = ArgumentBytes()
        self.events = try RowStatement(into: "events", Self.eventColumns, database, bytes)
        self.turns = try RowStatement(into: "turns", Self.turnColumns, database, bytes)
        self.userActivities = try RowStatement(into: "user_activities", Self.activityColumns, database, bytes)
        self.deadLetters = try RowStatement(into: "dead_letters", Self.deadLetterColumns, database, bytes)
    }

    /// Writes a record's rows.
    mutating func insert(_ scanned: ScannedRecord) throws {
        try self.insert(scanned.record, on: scanned.topic, EventColumns(scanned.event))
        switch scanned.meaning {
        case .event: break
        case .turn(let turn):
            try self.insert(turn, of: scanned.record, digest: Array(RecordDigest.of(scanned.record).utf8))
        case .userActivity(let activity): try self.insert(activity, of: scanned)
        case .deadLetter(let headers): try self.insert(headers, of: scanned)
        }
    }

    /// Writes a row of `events`.
    mutating func insert(_ record: LogRecord, on topic: Topic, _ columns: EventColumns) throws {
        let form = EventForm(record, columns)
        let name = Self.topicNames[topic] ?? []
        self.events.begin()
        try self.events.bind(text: name)
        try self.events.bind(Int64(record.topicPartition.partition))
        try self.events.bind(record.offset)
        try self.events.bind(record.timestamp)
        try self.events.bind(columns.time)
        try self.events.bind(text: columns.subject)
        try self.events.bind(text: columns.userID)
        try self.events.bind(text: columns.request)
        try self.events.bind(form.form)
        try self.events.bind(digits: columns.id, count: Self.idDigits)
        try self.events.bind(columns.type, in: PackedText.types)
        try self.events.bind(columns.source, in: PackedText.sources)
        try self.events.bind(digits: columns.causationID, count: Self.idDigits)
        if form.form & EventForm.Bit.key != 0 {
            try self.events.bind(text: nil)
        } else if let key = record.key, !UTF8Text.isValid(key) {
            try self.events.bind(blob: key)
        } else {
            try self.events.bind(text: record.key)
        }
        try self.events.bind(text: form.headers)
        if columns.isJSON {
            try self.events.bind(text: record.value)
        } else {
            try self.events.bind(blob: record.value)
        }
        try self.events.run()
    }

    /// How many digits the ids of intentd's own events have, and digests.
    private static let idDigits = 32
    private static let digestDigits = 64

    /// Writes a row of `turns`.
    mutating func insert(_ turn: ScannedTurn, of record: LogRecord, digest: [UInt8]) throws {
        let stage = Array(turn.stage.rawValue.utf8)
        let topic = Self.topicNames[turn.position.topic] ?? []
        let outcome = Array(turn.outcome.rawValue.utf8)
        self.turns.begin()
        try self.turns.bind(Int64(record.topicPartition.partition))
        try self.turns.bind(record.offset)
        try self.turns.bind(Int64(turn.position.partition))
        try self.turns.bind(turn.position.offset)
        try self.turns.bind(turn.generation)
        try self.turns.bind(text: turn.userID)
        try self.turns.bind(text: turn.interactionID)
        try self.turns.bind(text: turn.request)
        try self.turns.bind(text: turn.intent)
        try self.turns.bind(turn.opened ? 1 : 0)
        try self.turns.bind(turn.at)
        try self.turns.bind(turn.attempt)
        try self.turns.bind(text: turn.worker)
        try self.turns.bind(text: turn.handlerName)
        try self.turns.bind(text: turn.handlerVersion)
        try self.turns.bind(stage, in: PackedText.stages)
        try self.turns.bind(topic, in: PackedText.topics)
        try self.turns.bind(digits: turn.eventID, count: Self.idDigits)
        try self.turns.bind(turn.eventType, in: PackedText.types)
        try self.turns.bind(outcome, in: PackedText.outcomes)
        try self.turns.bind(digits: turn.previousDigest, count: Self.digestDigits)
        try self.turns.bind(digits: digest, count: Self.digestDigits)
        try self.turns.run()
    }

    private mutating func insert(_ activity: ScannedActivity, of scanned: ScannedRecord) throws {
        let event = scanned.event
        self.userActivities.begin()
        try self.userActivities.bind(Int64(scanned.record.topicPartition.partition))
        try self.userActivities.bind(scanned.record.offset)
        try self.userActivities.bind(text: activity.interactionID)
        try self.userActivities.bind(text: event.request)
        try self.userActivities.bind(text: event.userID)
        try self.userActivities.bind(event.time)
        try self.userActivities.bind(text: activity.activityType)
        try self.userActivities.bind(text: activity.title)
        try self.userActivities.bind(text: activity.userInfo)
        try self.userActivities.bind(text: activity.intent)
        try self.userActivities.bind(text: activity.code)
        try self.userActivities.bind(text: activity.status)
        try self.userActivities.bind(text: activity.groupIdentifier)
        try self.userActivities.run()
    }

    private mutating func insert(_ headers: DeadLetterHeaders, of scanned: ScannedRecord) throws {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        let event = scanned.event
        let (error, detail, topic) = (bytes(headers.error), bytes(headers.detail), bytes(headers.topic))
        let (name, message) = (bytes(headers.exceptionClass), bytes(headers.exceptionMessage))
        self.deadLetters.begin()
        try self.deadLetters.bind(Int64(scanned.record.topicPartition.partition))
        try self.deadLetters.bind(scanned.record.offset)
        try self.deadLetters.bind(scanned.record.timestamp)
        try self.deadLetters.bind(text: error)
        try self.deadLetters.bind(text: detail)
        try self.deadLetters.bind(text: event.userID)
        try self.deadLetters.bind(text: event.type)
        try self.deadLetters.bind(text: topic)
        try self.deadLetters.bind(headers.partition)
        try self.deadLetters.bind(headers.offset)
        try self.deadLetters.bind(headers.timestamp)
        try self.deadLetters.bind(text: name)
        try self.deadLetters.bind(text: message)
        try self.deadLetters.run()
    }
}
