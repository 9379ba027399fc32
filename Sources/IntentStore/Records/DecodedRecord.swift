internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// A record made ready for the tables; made outside the transaction, and never fails.
struct DecodedRecord: Sendable {
    /// What a record means beyond its row in `events`.
    enum Meaning: Sendable {
        /// No more than that it is there.
        case event
        /// A turn.
        case turn(TurnRecord)
        /// What an app needs to go on.
        case userActivity(JSONValue)
        /// Something that could not be processed.
        case deadLetter(DeadLetterHeaders)
    }

    /// The topic.
    var topic: Topic
    /// The record as it was read.
    var record: LogRecord
    /// The event, if it is one.
    var event: Event?
    /// Why it is none, with what could be told all the same.
    var defect: EventDecodingError?
    /// Whether the value is JSON.
    var isJSON: Bool
    /// The headers as a JSON array.
    var headers: [UInt8]
    /// What it means.
    var meaning: Meaning
    /// What it says of an interaction.
    var interaction: (request: RequestPosition, row: InteractionRow)?

    /// Reads a record as the stages do.
    init(_ record: LogRecord, on topic: Topic) {
        self.topic = topic
        self.record = record
        self.headers = HeaderJSON.write(record.headers)
        self.meaning = topic == .deadLetters ? .deadLetter(DeadLetterHeaders(record)) : .event
        do throws(EventDecodingError) {
            let event = try Event(
                headers: record.headers.map { EventHeader($0.name, $0.value) },
                value: record.value,
                position: RecordPosition(topic, record.topicPartition.partition, record.offset),
                timestamp: Timestamp(milliseconds: record.timestamp)
            )
            self.event = event
            self.isJSON = true
            self.interpret(event)
        } catch {
            self.defect = error
            // A structured event that is no object is malformed, but JSON.
            self.isJSON =
                error.code != .malformed
                || record.value.map { (try? JSONValue(parsing: $0)) != nil } ?? false
        }
    }

    private mutating func interpret(_ event: Event) {
        switch (self.topic, event.knownType) {
        case (.journal, .turnJournaled):
            guard let turn = TurnRecord(json: event.data) else { return }
            self.meaning = .turn(turn)
            self.interaction = InteractionRow.said(by: turn)
        case (.userActivities, .userActivityCreated):
            self.meaning = .userActivity(event.data)
        case (.responses, _):
            self.interaction = InteractionRow.said(
                by: event,
                partition: self.record.topicPartition.partition,
                offset: self.record.offset
            )
        default:
            break
        }
    }
}
