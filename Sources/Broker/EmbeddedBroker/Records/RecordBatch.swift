import NIOCore

/// One record batch in the form that it has in the log and in Produce and Fetch.
///
/// The bytes stay as the producer sent them. The broker sets the base offset and the leader epoch, which the checksum
/// does not cover; it also sets the latest time if it is not that of the records.
struct RecordBatch: Sendable {
    /// The decoded first 61 bytes.
    private(set) var header: RecordBatchHeader
    /// The whole batch, header included.
    private(set) var bytes: ByteBuffer
    /// Whether a record of a produced batch has no key; not determined for a stored one.
    private(set) var hasNullKey = false

    /// Bytes on the wire and in the log.
    var size: Int { self.bytes.readableBytes }

    /// Wraps a batch that the broker created or stored itself; nil when it is shorter than a header.
    init?(stored bytes: ByteBuffer) {
        guard let header = RecordBatchHeader(peeking: bytes) else { return nil }
        self.header = header
        self.bytes = bytes
    }

    /// Checks what a producer sent for one partition, which must be exactly one valid batch of data (KIP-98).
    ///
    /// Compressed records are decompressed piece by piece for the check; the bytes stay as they were received.
    init(
        produced bytes: ByteBuffer,
        bounds: RecordBounds = RecordBounds(TopicConfiguration())
    ) throws(RecordBatchError) {
        guard let magic = bytes.getInteger(at: bytes.readerIndex + 16, as: Int8.self) else { throw .corrupt }
        guard magic == 2 else { throw magic >= 0 && magic < 2 ? .oldFormat : .corrupt }
        guard var header = RecordBatchHeader(peeking: bytes) else { throw .corrupt }
        guard let length = bytes.getInteger(at: bytes.readerIndex + 8, as: Int32.self),
            Int(length) >= RecordBatchHeader.size - RecordBatchHeader.lengthOverhead
        else { throw .corrupt }
        let size = Int(length) + RecordBatchHeader.lengthOverhead
        guard size == bytes.readableBytes else { throw size < bytes.readableBytes ? .invalid : .corrupt }
        guard Self.checksum(of: bytes) == header.checksum else { throw .corrupt }
        guard header.recordCount > 0, header.lastOffsetDelta == header.recordCount - 1, !header.isControl,
            !header.hasUnknownAttributes, let compression = Compression(rawValue: header.compression)
        else { throw .invalid }
        guard !header.isStampedByBroker else { throw .invalidTimestamp }
        if header.hasProducerID {
            guard header.producerEpoch >= 0, header.baseSequence >= 0 else { throw .invalid }
        } else if header.isTransactional {
            throw .invalid
        }
        var scanner = RecordScanner(header, bounds: bounds)
        let refusal = bytes.withUnsafeReadableBytes { bytes in
            compression.expand(UnsafeRawBufferPointer(rebasing: bytes[RecordBatchHeader.size...]), into: &scanner)
        }
        if let refusal = refusal ?? scanner.finish() { throw refusal }
        // As on Kafka, a wrong latest time in the header is corrected instead of refused.
        header.maxTimestamp = scanner.maxTimestamp
        header.baseOffset = 0
        self.header = header
        self.bytes = bytes
        self.hasNullKey = scanner.hasNullKey
    }

    /// The uncompressed records; nil when they cannot be decompressed.
    var uncompressedRecords: ByteBuffer? {
        guard let compression = Compression(rawValue: self.header.compression) else { return nil }
        guard compression != .none else {
            let start = self.bytes.readerIndex + RecordBatchHeader.size
            return self.bytes.getSlice(at: start, length: self.size - RecordBatchHeader.size)
        }
        var sink = CollectingSink(capacity: RecordBounds.maxBatchBytes)
        let refusal = self.bytes.withUnsafeReadableBytes { bytes in
            compression.expand(UnsafeRawBufferPointer(rebasing: bytes[RecordBatchHeader.size...]), into: &sink)
        }
        return refusal == nil ? sink.bytes : nil
    }

    /// The checksum of a batch's bytes.
    static func checksum(of bytes: ByteBuffer) -> UInt32 {
        bytes.withUnsafeReadableBytes {
            CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[RecordBatchHeader.checkedFrom...]))
        }
    }

    /// Sets the batch's offset in the log; copies the bytes out of the frame in which they arrived.
    func placed(at offset: Int64) -> RecordBatch {
        var placed = self
        placed.bytes = ByteBuffer(buffer: self.bytes)
        placed.bytes.setInteger(offset, at: placed.bytes.readerIndex)
        placed.bytes.setInteger(Int32(0), at: placed.bytes.readerIndex + 12)
        placed.header.baseOffset = offset
        placed.correctMaxTimestamp()
        return placed
    }

    private mutating func correctMaxTimestamp() {
        let start = self.bytes.readerIndex
        guard self.bytes.getInteger(at: start + 35, as: Int64.self) != self.header.maxTimestamp else { return }
        self.bytes.setInteger(self.header.maxTimestamp, at: start + 35)
        self.header.checksum = Self.checksum(of: self.bytes)
        self.bytes.setInteger(self.header.checksum, at: start + 17)
    }
}

extension RecordBatch {
    /// The batch with only some of its records, uncompressed; base offset, last offset and times stay, so every record
    /// keeps its offset.
    func keeping(_ records: [Record]) -> RecordBatch {
        var bytes = ByteBuffer()
        bytes.writeImmutableBuffer(
            self.bytes.getSlice(at: self.bytes.readerIndex, length: RecordBatchHeader.size) ?? self.bytes
        )
        for record in records { bytes.writeImmutableBuffer(record.bytes) }
        bytes.setInteger(Int32(bytes.readableBytes - RecordBatchHeader.lengthOverhead), at: 8)
        bytes.setInteger(self.header.attributes & ~0x07, at: 21)
        bytes.setInteger(Int32(records.count), at: 57)
        bytes.setInteger(Self.checksum(of: bytes), at: 17)
        guard let batch = RecordBatch(stored: bytes) else { preconditionFailure("the header has been copied") }
        return batch
    }
}
