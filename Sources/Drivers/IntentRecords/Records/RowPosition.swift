internal import IntentRuntime

/// The position of a record in its topic, for rows.
struct RowPosition {
    var partition: Int64
    var offset: Int64
    /// The record's own time, in milliseconds.
    var timestamp: Int64
}

extension RowPosition {
    init(_ record: LogRecord) {
        self.init(
            partition: Int64(record.topicPartition.partition),
            offset: record.offset,
            timestamp: record.timestamp
        )
    }
}
