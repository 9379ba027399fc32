package import IntentEvents

/// A record to be written to a log.
///
/// The partition is always given: the writer knows the home partition (R1), and a client library's partitioner might
/// choose another one.
package struct OutgoingRecord: Hashable, Sendable, ContentRecord {
    package var topicPartition: TopicPartition
    /// Its timestamp in milliseconds since 1970; nil lets the log set the present time.
    package var timestamp: Int64?
    /// Its key, value and headers.
    package var content: RecordContent

    package init(topicPartition: TopicPartition, timestamp: Int64? = nil, content: RecordContent) {
        self.topicPartition = topicPartition
        self.timestamp = timestamp
        self.content = content
    }

    /// Describes a record to be written in parts.
    package init(
        topicPartition: TopicPartition,
        timestamp: Int64? = nil,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [LogHeader] = []
    ) {
        self.init(
            topicPartition: topicPartition,
            timestamp: timestamp,
            content: RecordContent(key: key, value: value, headers: headers)
        )
    }
}
