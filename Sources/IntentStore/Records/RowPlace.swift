internal import IntentRuntime

/// Where a record stands in its topic, as rows have it.
struct RowPlace {
    /// The partition.
    var partition: Int64
    /// The offset.
    var offset: Int64
    /// The record's own time, in milliseconds.
    var timestamp: Int64
}

extension RowPlace {
    /// The place of a record that was read.
    init(_ record: LogRecord) {
        self.init(
            partition: Int64(record.topicPartition.partition),
            offset: record.offset,
            timestamp: record.timestamp
        )
    }
}
