internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A record made ready for the tables, from its bytes; that never fails.
struct ScannedRecord {
    /// What a record means beyond its row in `events`.
    enum Meaning {
        /// No more than that it is there.
        case event
        /// A turn.
        case turn(ScannedTurn)
        /// What an app needs to go on.
        case userActivity(ScannedActivity)
        /// Something that could not be processed.
        case deadLetter(DeadLetterHeaders)
    }

    /// The topic.
    let topic: Topic
    /// The record as it is kept: whole, or cut if it is larger than any topic but `requests` takes.
    let record: LogRecord
    /// What it says as an event.
    let event: ScannedEvent
    /// What it means.
    private(set) var meaning = Meaning.event
    /// What it says of an interaction.
    private(set) var interaction: (request: RequestPosition, row: InteractionRow)?

    private static let turnJournaled = Array(EventType.turnJournaled.rawValue.utf8)
    private static let userActivityCreated = Array(EventType.userActivityCreated.rawValue.utf8)

    /// Reads a record as the stages do; the tape is used meanwhile.
    init(_ record: LogRecord, on topic: Topic, _ tape: inout JSONTape) {
        self.topic = topic
        self.record = record.recorded
        self.event = ScannedEvent(record, on: topic, &tape)
        switch topic {
        case .deadLetters: self.meaning = .deadLetter(DeadLetterHeaders(record))
        case .journal: self.readTurn(record, tape)
        case .userActivities, .responses:
            guard self.event.isEvent, let value = record.value else { return }
            let event = self.event
            value.withUnsafeBufferPointer { bytes in
                if topic == .responses {
                    let partition = record.topicPartition.partition
                    self.interaction = InteractionRow.said(by: event, partition, record.offset, tape, bytes)
                } else if event.type == Self.userActivityCreated {
                    self.meaning = .userActivity(ScannedActivity(event, tape, bytes))
                }
            }
        case .requests, .resolved, .confirmed, .signals, .state: break
        }
    }

    private mutating func readTurn(_ record: LogRecord, _ tape: JSONTape) {
        guard self.event.isEvent, !self.event.attributes.isStructured, let value = record.value else {
            // The turn of an event that names no user is no event either, but a turn.
            if !self.event.isEvent || self.event.type == Self.turnJournaled, let turn = TurnRecord(record) {
                self.note(ScannedTurn(turn))
            }
            return
        }
        guard self.event.type == Self.turnJournaled else { return }
        let attributes = self.event.attributes
        let turn = value.withUnsafeBufferPointer { ScannedTurn(attributes, tape, $0) }
        if let turn { self.note(turn) }
    }

    private mutating func note(_ turn: ScannedTurn) {
        self.meaning = .turn(turn)
        if self.event.isEvent { self.interaction = InteractionRow.said(by: turn) }
    }
}
