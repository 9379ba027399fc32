/// A record as it was read from a log.
package struct LogRecord: Hashable, Sendable {
    /// Where it was read.
    package var topicPartition: TopicPartition
    /// Its offset in the partition.
    package var offset: Int64
    /// Its timestamp in milliseconds since 1970, as the broker keeps it.
    package var timestamp: Int64
    /// Its key, if it has one.
    package var key: [UInt8]?
    /// Its value; nil for a tombstone.
    package var value: [UInt8]?
    /// Its headers, in the order in which they were written.
    package var headers: [LogHeader]

    /// Describes a record that was read.
    package init(
        topicPartition: TopicPartition,
        offset: Int64,
        timestamp: Int64,
        key: [UInt8]?,
        value: [UInt8]?,
        headers: [LogHeader]
    ) {
        self.topicPartition = topicPartition
        self.offset = offset
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.headers = headers
    }

    /// The last header of that name as text; nil when there is none, or it is not UTF-8.
    package func header(_ name: String) -> String? {
        self.headers.last { $0.name == name }?.text
    }
}
