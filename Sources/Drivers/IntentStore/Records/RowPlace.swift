internal import IntentRuntime

/// The position of a record in its topic, for rows.
struct RowPlace {
    /// The partition.
    var partition: Int64
    /// The offset.
    var offset: Int64
    /// The record's own time, in milliseconds.
    var timestamp: Int64
}

extension RowPlace {
    /// The position of a record.
    init(_ record: LogRecord) {
        self.init(
            partition: Int64(record.topicPartition.partition),
            offset: record.offset,
            timestamp: record.timestamp
        )
    }
}
