import NIOCore

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
