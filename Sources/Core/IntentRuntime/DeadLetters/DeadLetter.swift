package import IntentEvents
package import IntentKit

/// A record of `dead-letters`: an event that could not be processed, the reason, and its user (R47, R48).
package struct DeadLetter: Sendable {
    package let position: RecordPosition
    package let record: LogRecord
    /// The reason, and the event's original position.
    package let headers: DeadLetterHeaders
    /// The event, or why the record holds none.
    package private(set) var event: Result<Event, EventDecodingError>
    /// Whether the event was read from all of its bytes.
    package private(set) var isComplete: Bool

    /// Reads a record of `dead-letters`.
    package init(_ record: LogRecord, prefix: String) {
        self.position = RecordPosition(.deadLetters, record.topicPartition.partition, record.offset)
        self.record = record
        let headers = DeadLetterHeaders(record.content)
        self.headers = headers
        self.isComplete = !headers.isCut
        var stored = StoredRecord(record, topic: .deadLetters)
        if let topic = headers.topic.flatMap({ Topic(name: TopicName($0), prefix: prefix) }),
            let partition = headers.partition.flatMap(Int.init(exactly:)), let offset = headers.offset
        {
            stored.position = RecordPosition(topic, partition, offset)
            stored.timestamp = headers.timestamp.map(Timestamp.init(clamping:)) ?? stored.timestamp
        }
        self.event = Result(catching: stored.decoded)
    }

    /// The original position, if only a part of the event is here; nil when it is complete, or when the position is not
    /// known.
    package var original: TopicPartition? {
        guard self.headers.isCut, let topic = self.headers.topic, let partition = self.headers.partition,
            let number = Int(exactly: partition)
        else { return nil }
        return TopicPartition(TopicName(topic), number)
    }

    /// Completes the event from the record from which this one was cut.
    package mutating func complete(from original: StoredRecord) {
        self.isComplete = true
        self.event = Result(catching: original.decoded)
    }

    /// The name that users know it by: `partition/offset`.
    package var name: String { "\(self.position.partition)/\(self.position.offset)" }

    /// The event's type, if it could be read.
    package var type: String? {
        switch self.event {
        case .success(let event): event.type
        case .failure(let error): error.type
        }
    }

    /// The user, if it could be read.
    package var userID: UserID? {
        switch self.event {
        case .success(let event): event.userID
        case .failure(let error): error.userID
        }
    }

    /// The id of the interaction, if it belongs to one.
    package var interactionID: InteractionID? {
        if let id = self.headers.interactionID { return id }
        switch self.event {
        case .success(let event): return event.subject
        case .failure(let error): return error.subject
        }
    }

    /// The stage that could not process the event; nil where its topic is not known.
    package var stage: Stage? {
        if let stage = self.record.content.header(EventHeaderName.stage).flatMap(Stage.init(rawValue:)) { return stage }
        let topic = self.headers.topic?.split(separator: ".").last.flatMap { Topic(rawValue: String($0)) }
        return Stage.allCases.first { $0.inputTopic == topic }
    }

    /// The name of what could not process the event: a stage, or `webhooks`; nil where it is not known.
    package var place: String? { Self.place(of: self.headers.error, stage: self.stage?.rawValue) }

    /// The name of what could not process an event; `stage` is the one that wrote or reads it.
    package static func place(of error: String?, stage: String?) -> String? {
        error == DeadLetterHeaders.webhookFailed ? Self.webhooks : stage
    }

    /// The name of the gateway's webhook among the stages.
    package static let webhooks = "webhooks"

    /// The intent in the event; nil when there is none.
    package var intent: IntentSnapshot? {
        guard case .success(let event) = self.event else { return nil }
        return (event.data["interaction"]?["intent"] ?? event.data["intent"]).flatMap(IntentSnapshot.init(json:))
    }
}
