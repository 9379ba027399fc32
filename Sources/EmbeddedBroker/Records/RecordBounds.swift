/// How large the records that a producer sends may be, as they are before compression.
struct RecordBounds: Sendable, Equatable {
    /// What the records of one batch take at most, whatever the topic's settings; also what is decompressed at most.
    static let maxBatchBytes = 32 << 20

    /// The largest record, from behind its length.
    var recordBytes: Int
    /// All records of a batch.
    var batchBytes: Int

    /// The bounds that a topic sets.
    ///
    /// `max.message.bytes` bounds each record as if it were alone in an uncompressed batch. With
    /// `compression.type=uncompressed` it bounds the whole batch that way, which is what Kafka does when it stores a batch
    /// anew.
    init(_ configuration: TopicConfiguration) {
        let bytes = min(configuration.maxMessageBytes, Self.maxBatchBytes) - RecordBatchHeader.size
        self.recordBytes = max(0, bytes)
        self.batchBytes = configuration.isUncompressed ? max(0, bytes) : Self.maxBatchBytes
    }
}
