internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRuntime
internal import LibCrypto

/// An event of `requests`, `responses` or `user-activities` as the view reads it.
struct ViewedEvent: Sendable {
    var topic: Topic
    var partition: Int
    var offset: Int64
    /// The time at which its record was written.
    var writtenAt: Timestamp
    var event: Event
    /// The data as they are in the record: JSON in one line.
    var body: [UInt8]

    /// The topics that the view reads.
    static let topics: [Topic] = [.requests, .responses, .userActivities]

    /// Reads a record; nil when it is no event, or not in the home partition of its user, where it will be read again
    /// (R1).
    init?(_ record: LogRecord, of deployment: Deployment) {
        guard let topic = Topic(name: record.topicPartition.topic, prefix: deployment.prefix) else { return nil }
        let stored = StoredRecord(record, topic: topic)
        guard let event = try? stored.decoded(), event.knownType != nil,
            deployment.home(of: event.userID) == record.topicPartition.partition
        else { return nil }
        self.topic = topic
        self.partition = record.topicPartition.partition
        self.offset = record.offset
        self.writtenAt = stored.timestamp
        self.event = event
        self.body = topic == .requests ? [] : UserEvent.body(of: record.content, event)
    }

    /// The position as that of a request.
    var position: RequestPosition { RequestPosition(partition: Int64(self.partition), offset: self.offset) }
}

/// What identifies an interaction for its user: the names that clients know (R8b).
struct InteractionName: Hashable, Sendable {
    var user: UserID
    var id: InteractionID
}

/// A number for a text, by which texts of one interaction are compared: the first bits of its SHA-256.
struct TextMark: Hashable, Sendable {
    var number: Int64

    init(number: Int64) { self.number = number }

    init(_ text: String) { self.number = Int64(bitPattern: SHA256.digest(Array(text.utf8)).firstBits) }
}
