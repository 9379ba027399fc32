internal import IntentEvents

/// The size limits of what a turn writes (R47): everything is measured before it is written.
enum RecordLimits {
    /// The largest value or state entry: the topics accept 4 MiB, key and headers included.
    static let value = TopicPlan.maximumRecordBytes - 64 * 1024
    /// The largest text, as a JSON string, that can wait in state with the headers around it.
    private static let waiting = TopicPlan.maximumRecordBytes - 256 * 1024
    /// The size of a record beside key, value and headers.
    private static let envelope = 4 * 1024

    /// Whether an event with that value can wait behind a parked turn, or be parked: its value is a string in state
    /// then.
    static func allowsWaiting(_ value: UnsafeBufferPointer<UInt8>?) -> Bool {
        guard let value else { return true }
        guard 2 * value.count > Self.waiting else { return true }
        // The texts that intentd writes have no other characters that need more than one byte in a string.
        let escapes = value.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        return value.count + escapes <= Self.waiting
    }

    /// Whether a topic accepts a record unchanged.
    static func allowsForwarding(_ stored: StoredRecord, to topic: Topic) -> Bool {
        let limit = topic == .requests ? TopicPlan.maximumRequestBytes : TopicPlan.maximumRecordBytes
        let record = OutgoingRecord(topicPartition: TopicPartition("", 0), content: stored.content)
        return record.batchSize <= limit - Self.envelope
    }
}
