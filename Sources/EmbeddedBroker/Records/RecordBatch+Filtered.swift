import NIOCore

extension RecordBatch {
    /// The batch with some of its records only; base offset, last offset and times stay, so that every offset does.
    func keeping(_ records: [Record]) -> RecordBatch {
        var bytes = ByteBuffer()
        bytes.writeImmutableBuffer(
            self.bytes.getSlice(at: self.bytes.readerIndex, length: RecordBatchHeader.size) ?? self.bytes
        )
        for record in records { bytes.writeImmutableBuffer(record.bytes) }
        bytes.setInteger(Int32(bytes.readableBytes - RecordBatchHeader.lengthOverhead), at: 8)
        bytes.setInteger(Int32(records.count), at: 57)
        let checksum = bytes.withUnsafeReadableBytes {
            CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[RecordBatchHeader.checkedFrom...]))
        }
        bytes.setInteger(checksum, at: 17)
        guard let batch = RecordBatch(stored: bytes) else { preconditionFailure("the header has been copied") }
        return batch
    }
}
