import NIOCore

/// The 61 bytes before the records of a batch in message format 2 (KIP-98).
struct RecordBatchHeader: Sendable, Equatable {
    /// Bytes up to the first record.
    static let size = 61
    /// Bytes up to the end of the length field, which does not count them.
    static let lengthOverhead = 12
    /// The position at which the part under the checksum begins.
    static let checkedFrom = 21

    /// The offset of the first record (before compaction).
    var baseOffset: Int64
    /// The format's number; 2 is the only one that is stored.
    var magic: Int8
    /// CRC-32C from the attributes to the end.
    var checksum: UInt32
    /// Compression, time stamp type, transactional, control.
    var attributes: Int16
    /// The last record's offset, relative to the base.
    var lastOffsetDelta: Int32
    /// The first record's time in milliseconds.
    var baseTimestamp: Int64
    /// The latest time in the batch in milliseconds.
    var maxTimestamp: Int64
    /// The idempotent producer, or -1.
    var producerID: Int64
    /// The producer's epoch, or -1.
    var producerEpoch: Int16
    /// The first record's sequence number, or -1.
    var baseSequence: Int32
    var recordCount: Int32

    var lastOffset: Int64 { self.baseOffset + Int64(self.lastOffsetDelta) }
    /// Whether the batch belongs to a transaction.
    var isTransactional: Bool { self.attributes & 0x10 != 0 }
    /// Whether the batch holds a commit or abort marker instead of data.
    var isControl: Bool { self.attributes & 0x20 != 0 }
    /// Whether the times are those of the append; the broker has no such topics.
    var isStampedByBroker: Bool { self.attributes & 0x08 != 0 }
    /// Whether the attributes have bits that no producer sets.
    var hasUnknownAttributes: Bool { self.attributes & ~0x3f != 0 }
    /// 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.
    var compression: Int16 { self.attributes & 0x07 }
    /// Whether a producer with an id wrote the batch.
    var hasProducerID: Bool { self.producerID >= 0 }

    /// The sequence number of the last record; numbers wrap to 0 after `Int32.max`.
    var lastSequence: Int32 {
        self.baseSequence < 0
            ? -1 : Int32(truncatingIfNeeded: (Int64(self.baseSequence) + Int64(self.lastOffsetDelta)) & 0x7fff_ffff)
    }
}

extension RecordBatchHeader {
    /// Reads the header at the reader index without moving it; nil when there are too few bytes.
    init?(peeking bytes: ByteBuffer) {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= Self.size,
            let baseOffset = bytes.getInteger(at: start, as: Int64.self),
            let magic = bytes.getInteger(at: start + 16, as: Int8.self),
            let checksum = bytes.getInteger(at: start + 17, as: UInt32.self),
            let attributes = bytes.getInteger(at: start + 21, as: Int16.self),
            let lastOffsetDelta = bytes.getInteger(at: start + 23, as: Int32.self),
            let baseTimestamp = bytes.getInteger(at: start + 27, as: Int64.self),
            let maxTimestamp = bytes.getInteger(at: start + 35, as: Int64.self),
            let producerID = bytes.getInteger(at: start + 43, as: Int64.self),
            let producerEpoch = bytes.getInteger(at: start + 51, as: Int16.self),
            let baseSequence = bytes.getInteger(at: start + 53, as: Int32.self),
            let recordCount = bytes.getInteger(at: start + 57, as: Int32.self)
        else { return nil }
        self.baseOffset = baseOffset
        self.magic = magic
        self.checksum = checksum
        self.attributes = attributes
        self.lastOffsetDelta = lastOffsetDelta
        self.baseTimestamp = baseTimestamp
        self.maxTimestamp = maxTimestamp
        self.producerID = producerID
        self.producerEpoch = producerEpoch
        self.baseSequence = baseSequence
        self.recordCount = recordCount
    }
}
