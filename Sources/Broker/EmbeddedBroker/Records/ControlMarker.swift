import NIOCore

/// How a transaction ended, as written into every partition that it touched (KIP-98).
enum ControlMarker: Int16, Sendable {
    /// The transaction's records are not delivered to `read_committed` consumers.
    case abort = 0
    /// The transaction's records count.
    case commit = 1

    /// Creates the control batch, which takes one offset.
    func batch(producerID: Int64, producerEpoch: Int16, at offset: Int64, timestamp: Int64) -> RecordBatch {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(78)
        bytes.writeInteger(offset)
        bytes.writeInteger(Int32(66))
        bytes.writeInteger(Int32(0))
        bytes.writeInteger(Int8(2))
        bytes.writeInteger(UInt32(0))
        bytes.writeInteger(Int16(0x30))
        bytes.writeInteger(Int32(0))
        bytes.writeInteger(timestamp)
        bytes.writeInteger(timestamp)
        bytes.writeInteger(producerID)
        bytes.writeInteger(producerEpoch)
        bytes.writeInteger(Int32(-1))
        bytes.writeInteger(Int32(1))
        // The record, its lengths as zigzag varints: 16 bytes, key of 4 (version, type), value of 6 (version, epoch).
        bytes.writeBytes([32, 0, 0, 0, 8])
        bytes.writeInteger(Int16(0))
        bytes.writeInteger(self.rawValue)
        bytes.writeBytes([12])
        bytes.writeInteger(Int16(0))
        bytes.writeInteger(Int32(0))
        bytes.writeBytes([0])
        bytes.setInteger(RecordBatch.checksum(of: bytes), at: bytes.readerIndex + 17)
        guard let batch = RecordBatch(stored: bytes) else { preconditionFailure("a marker is longer than a header") }
        return batch
    }
}
