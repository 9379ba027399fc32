package import IntentEvents
package import IntentKit
package import IntentRuntime

/// A recorded event: a row of `events` (R39).
package struct RecordedEvent: Hashable, Sendable {
    package var position: RecordPosition
    /// The record's timestamp, as the broker keeps it.
    package var timestamp: Timestamp
    /// The event's id; nil for a record that is no event.
    package var id: String?
    package var type: String?
    package var source: String?
    package var time: Timestamp?
    package var subject: InteractionID?
    package var userID: UserID?
    /// The id of the event that this one answers.
    package var causationID: String?
    /// The position of the interaction's request, `partition:offset`.
    package var request: RequestID?
    package var key: [UInt8]?
    /// The record's headers, all of them in order.
    package var headers: [LogHeader]
    /// The record's value, with its original bytes.
    package var value: [UInt8]?

    /// The value as JSON; nil when it is none.
    package var json: JSONValue? {
        self.value.flatMap { try? JSONValue(parsing: $0) }
    }

    /// The record as it was read from its topic.
    package func record(prefix: String) -> LogRecord {
        LogRecord(
            topicPartition: TopicPartition(self.position.topic.name(prefix: prefix), self.position.partition),
            offset: self.position.offset,
            timestamp: self.timestamp.milliseconds,
            key: self.key,
            value: self.value,
            headers: self.headers
        )
    }
}

extension RecordedEvent {
    /// A record of a topic, as it would be recorded.
    package init(_ record: LogRecord, on topic: Topic) {
        let position = RecordPosition(topic, record.topicPartition.partition, record.offset)
        let timestamp = Timestamp(milliseconds: record.timestamp)
        let event = try? Event(record.content, position: position, timestamp: timestamp)
        self.init(
            position: position,
            timestamp: timestamp,
            id: event?.id,
            type: event?.type,
            source: event?.source,
            time: event?.time,
            subject: event?.subject,
            userID: event?.userID,
            causationID: event?.causationID,
            request: event?.request,
            key: record.key,
            headers: record.headers,
            value: record.value
        )
    }
}
