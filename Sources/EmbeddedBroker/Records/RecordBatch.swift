import NIOCore

/// One record batch as it stands in the log and travels in Produce and Fetch.
///
/// The bytes stay as the producer sent them; only base offset and leader epoch, which lie outside the checksum, are
/// set by the broker.
struct RecordBatch: Sendable {
    /// The decoded first 61 bytes.
    private(set) var header: RecordBatchHeader
    /// The whole batch, header included.
    private(set) var bytes: ByteBuffer

    /// Bytes on the wire and in the log.
    var size: Int { self.bytes.readableBytes }

    /// Takes a batch that the broker made or stored itself; nil when it is shorter than a header.
    init?(stored bytes: ByteBuffer) {
        guard let header = RecordBatchHeader(peeking: bytes) else { return nil }
        self.header = header
        self.bytes = bytes
    }

    /// Takes what a producer sent for one partition, which must be exactly one sound batch of data (KIP-98).
    init(produced bytes: ByteBuffer) throws(RecordBatchError) {
        guard let magic = bytes.getInteger(at: bytes.readerIndex + 16, as: Int8.self) else { throw .corrupt }
        guard magic == 2 else { throw magic >= 0 && magic < 2 ? .oldFormat : .corrupt }
        guard let header = RecordBatchHeader(peeking: bytes) else { throw .corrupt }
        guard let length = bytes.getInteger(at: bytes.readerIndex + 8, as: Int32.self),
            Int(length) >= RecordBatchHeader.size - RecordBatchHeader.lengthOverhead
        else { throw .corrupt }
        let size = Int(length) + RecordBatchHeader.lengthOverhead
        guard size == bytes.readableBytes else { throw size < bytes.readableBytes ? .invalid : .corrupt }
        let checksum = bytes.withUnsafeReadableBytes {
            CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[RecordBatchHeader.checkedFrom...]))
        }
        guard checksum == header.checksum else { throw .corrupt }
        guard header.recordCount > 0, header.lastOffsetDelta == header.recordCount - 1, !header.isControl,
            header.compression <= 4
        else { throw .invalid }
        guard header.compression != 0 || Self.holds(header.recordCount, recordsIn: bytes) else { throw .invalid }
        if header.hasProducerID {
            guard header.producerEpoch >= 0, header.baseSequence >= 0 else { throw .invalid }
        } else if header.isTransactional {
            throw .invalid
        }
        self.header = header
        self.bytes = bytes
    }

    /// Whether so many records, each behind its length, fill an uncompressed batch to its end.
    ///
    /// Offsets are given out by the count: a batch that claims more than it holds would leave a hole in the log.
    private static func holds(_ count: Int32, recordsIn bytes: ByteBuffer) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            var position = RecordBatchHeader.size
            for _ in 0..<count {
                var length: UInt64 = 0
                var shift: UInt64 = 0
                while true {
                    guard position < bytes.count, shift < 35 else { return false }
                    let byte = bytes[position]
                    position += 1
                    length |= UInt64(byte & 0x7f) << shift
                    shift += 7
                    if byte & 0x80 == 0 { break }
                }
                // Lengths are zigzag; an odd one is negative.
                guard length & 1 == 0, length / 2 <= UInt64(bytes.count - position) else { return false }
                position += Int(length / 2)
            }
            return position == bytes.count
        }
    }

    /// Gives the batch its place in the log; copies the bytes out of the frame they came in.
    func placed(at offset: Int64) -> RecordBatch {
        var placed = self
        placed.bytes = ByteBuffer(buffer: self.bytes)
        placed.bytes.setInteger(offset, at: placed.bytes.readerIndex)
        placed.bytes.setInteger(Int32(0), at: placed.bytes.readerIndex + 12)
        placed.header.baseOffset = offset
        return placed
    }
}
