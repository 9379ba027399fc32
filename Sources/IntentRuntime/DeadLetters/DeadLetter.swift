package import IntentEvents
package import IntentKit

/// A record of `dead-letters`: an event that could not be processed, why, and whose it was (R47, R48).
package struct DeadLetter: Sendable {
    /// Where it stands.
    package let position: RecordPosition
    /// The record.
    package let record: LogRecord
    /// Why it is there, and where the event stood.
    package let headers: DeadLetterHeaders
    /// The event, or why it is none.
    package let event: Result<Event, EventDecodingError>

    /// Reads a record of `dead-letters`.
    package init(_ record: LogRecord, prefix: String) {
        self.position = RecordPosition(.deadLetters, record.topicPartition.partition, record.offset)
        self.record = record
        let headers = DeadLetterHeaders(record)
        self.headers = headers
        var stored = StoredRecord(record, topic: .deadLetters)
        if let topic = headers.topic.flatMap({ Topic(name: $0, prefix: prefix) }),
            let partition = headers.partition.flatMap(Int.init(exactly:)), let offset = headers.offset
        {
            stored.position = RecordPosition(topic, partition, offset)
            stored.timestamp = headers.timestamp.map(Timestamp.init(milliseconds:)) ?? stored.timestamp
        }
        do throws(EventDecodingError) {
            self.event = .success(try stored.decoded())
        } catch {
            self.event = .failure(error)
        }
    }

    /// What users name it by: `partition/offset`.
    package var name: String { "\(self.position.partition)/\(self.position.offset)" }

    /// The event's type, if it could be told.
    package var type: String? {
        switch self.event {
        case .success(let event): event.type
        case .failure(let error): error.type
        }
    }

    /// The user, if it could be told.
    package var userID: String? {
        switch self.event {
        case .success(let event): event.userID
        case .failure(let error): error.userID
        }
    }

    /// The id of the interaction, if it was one's.
    package var interactionID: String? {
        if let id = self.headers.interactionID { return id }
        switch self.event {
        case .success(let event): return event.subject
        case .failure(let error): return error.subject
        }
    }

    /// The intent as the event has it; nil when it names none.
    package var intent: IntentSnapshot? {
        guard case .success(let event) = self.event else { return nil }
        return (event.data["interaction"]?["intent"] ?? event.data["intent"]).flatMap(IntentSnapshot.init(json:))
    }
}
