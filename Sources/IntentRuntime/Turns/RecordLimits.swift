internal import IntentEvents

/// How large what a turn writes may be (R47): everything is measured before it is written.
enum RecordLimits {
    /// The largest value or state entry: the topics take 4 MiB, key and headers included.
    static let value = TopicPlan.maximumRecordBytes - 64 * 1024
    /// The largest text, written as a JSON string, that can wait in state with the headers around it.
    private static let waiting = TopicPlan.maximumRecordBytes - 256 * 1024
    /// What a record takes beside key, value and headers.
    private static let envelope = 4 * 1024

    /// Whether an event of that value can wait behind a parked turn, or be one: it stands in state as a string then.
    static func allowsWaiting(_ value: UnsafeBufferPointer<UInt8>?) -> Bool {
        guard let value else { return true }
        guard 2 * value.count > Self.waiting else { return true }
        // The texts that intentd writes have no other characters that take more than one byte in a string.
        let escapes = value.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        return value.count + escapes <= Self.waiting
    }

    /// Whether a topic takes a record as it came.
    static func allowsForwarding(_ stored: StoredRecord, to topic: Topic) -> Bool {
        let limit = topic == .requests ? TopicPlan.maximumRequestBytes : TopicPlan.maximumRecordBytes
        let record = OutgoingRecord(topicPartition: TopicPartition("", 0), content: stored.content)
        return record.batchSize <= limit - Self.envelope
    }
}
