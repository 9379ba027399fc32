import IntentEvents
import IntentKit
import IntentRuntime

@testable import IntentRecords

/// A record as the recorder of version 1 read it, through trees of values: the reference for reading its bytes.
final class DecodedRecord: Sendable {
    /// The meaning of a record beyond its row in `events`.
    enum Meaning: Sendable {
        /// Only an event.
        case event
        /// A turn.
        case turn(TurnRecord)
        /// What an app needs to continue.
        case userActivity(JSONValue)
        /// Something that could not be processed.
        case deadLetter(DeadLetterHeaders)
    }

    /// The topic.
    let topic: Topic
    /// The record as stored: complete, or cut if it is larger than any topic but `requests` allows.
    let record: LogRecord
    /// The event, if it is one.
    let event: Event?
    /// The reason why it is not an event, with what could be read all the same.
    let defect: EventDecodingError?
    /// Whether the value is JSON.
    let isJSON: Bool
    /// Whether only a part of its value is kept.
    let isCut: Bool
    /// The headers as a JSON array.
    let headers: [UInt8]
    /// Its meaning.
    let meaning: Meaning
    /// What it says of an interaction.
    let interaction: (request: RequestPosition, row: InteractionRow)?

    /// Reads a record as the stages do.
    init(_ record: LogRecord, on topic: Topic) {
        self.topic = topic
        let recorded = record.recorded
        self.record = recorded
        self.isCut = recorded.value?.count != record.value?.count
        self.headers = recorded.content.withParts { HeaderJSON.write($0) }
        do throws(EventDecodingError) {
            let event = try Event(
                record.content,
                position: RecordPosition(topic, record.topicPartition.partition, record.offset),
                timestamp: Timestamp(clamping: record.timestamp)
            )
            self.event = event
            self.defect = nil
            self.isJSON = true
            (self.meaning, self.interaction) = Self.interpret(event, record, on: topic)
        } catch {
            self.event = nil
            self.defect = error
            // A structured event that is not an object is malformed, but JSON.
            self.isJSON =
                error.code != .malformed && error.code != .tooLarge
                || recorded.value.map { (try? JSONValue(parsing: $0)) != nil } ?? false
            self.interaction = nil
            if topic == .deadLetters {
                self.meaning = .deadLetter(DeadLetterHeaders(record.content))
            } else if topic == .journal, let turn = Self.turn(record) {
                // The turn of an event that names no user is not an event either, but a turn.
                self.meaning = .turn(turn)
            } else {
                self.meaning = .event
            }
        }
    }

    private static func interpret(
        _ event: Event,
        _ record: LogRecord,
        on topic: Topic
    ) -> (Meaning, (RequestPosition, InteractionRow)?) {
        switch (topic, event.knownType) {
        case (.deadLetters, _):
            return (.deadLetter(DeadLetterHeaders(record.content)), nil)
        case (.journal, .turnJournaled):
            guard let turn = Self.turn(record) else { return (.event, nil) }
            return (.turn(turn), InteractionRow.saidBefore(by: turn))
        case (.userActivities, .userActivityCreated):
            return (.userActivity(event.data), nil)
        case (.responses, _):
            let partition = record.topicPartition.partition
            return (.event, InteractionRow.saidBefore(by: event, partition: partition, offset: record.offset))
        default:
            return (.event, nil)
        }
    }

    /// What it says of an interaction, in a file of version 1, or now (R80).
    func interaction(hasTimesOfNow: Bool) -> (request: RequestPosition, row: InteractionRow)? {
        guard hasTimesOfNow else { return self.interaction }
        let timestamp = self.record.timestamp
        // What is stored of a larger record would say less.
        if self.topic == .requests, let event, event.knownType == .intentRequested, !self.isCut {
            var row = InteractionRow()
            row.identity = InteractionRow.Identity(
                writtenAt: timestamp,
                interactionID: event.subject,
                userID: event.userID,
                intent: event.data["intent"]?["name"]?.string
            )
            let partition = Int64(self.record.topicPartition.partition)
            return (RequestPosition(partition: partition, offset: self.record.offset), row)
        }
        guard self.topic == .responses, let said = self.interaction else { return self.interaction }
        var row = said.row
        row.response?.at = timestamp
        row.firstPromptAt = row.firstPromptAt.map { _ in timestamp }
        return (said.request, row)
    }

    private static func turn(_ record: LogRecord) -> TurnRecord? {
        TurnRecord(record)
    }
}
