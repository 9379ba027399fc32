package import IntentEvents

/// A record as it was read from a log.
package struct LogRecord: Hashable, Sendable, ContentRecord {
    /// Where it was read.
    package var topicPartition: TopicPartition
    package var offset: Int64
    /// Its timestamp in milliseconds since 1970, as the broker keeps it.
    package var timestamp: Int64
    /// Its key, value and headers.
    package var content: RecordContent

    package init(topicPartition: TopicPartition, offset: Int64, timestamp: Int64, content: RecordContent) {
        self.topicPartition = topicPartition
        self.offset = offset
        self.timestamp = timestamp
        self.content = content
    }

    /// Describes a record that was read in parts.
    package init(
        topicPartition: TopicPartition,
        offset: Int64,
        timestamp: Int64,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [LogHeader]
    ) {
        self.init(
            topicPartition: topicPartition,
            offset: offset,
            timestamp: timestamp,
            content: RecordContent(key: key, value: value, headers: headers)
        )
    }
}
