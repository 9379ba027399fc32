/// The largest sizes of the records that a producer sends, before compression.
struct RecordBounds: Sendable, Equatable {
    /// The most bytes for the records of one batch, whatever the topic's settings; also the most that is decompressed.
    static let maxBatchBytes = 32 << 20

    /// The largest record, without its length prefix.
    var recordBytes: Int
    /// The largest size of all records of a batch.
    var batchBytes: Int

    /// The bounds that a topic's settings give.
    ///
    /// `max.message.bytes` bounds each record as if it were alone in an uncompressed batch. With
    /// `compression.type=uncompressed` it bounds the whole batch that way, as Kafka does when it rewrites a batch.
    init(_ configuration: TopicConfiguration) {
        let bytes = min(configuration.maxMessageBytes, Self.maxBatchBytes) - RecordBatchHeader.size
        self.recordBytes = max(0, bytes)
        self.batchBytes = configuration.isUncompressed ? max(0, bytes) : Self.maxBatchBytes
    }
}
