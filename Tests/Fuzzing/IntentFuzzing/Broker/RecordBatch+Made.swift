#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

extension RecordBatch {
    /// A record to be written.
    struct Draft {
        var key: String?
        var value: String?
        var timestamp: Int64 = 0
    }

    /// The bytes a producer would send.
    static func produced(
        _ drafts: [Draft],
        baseTimestamp: Int64 = 1_000,
        producerID: Int64 = -1,
        epoch: Int16 = -1,
        sequence: Int32 = -1,
        isTransactional: Bool = false
    ) -> ByteBuffer {
        var records = ByteBuffer()
        for (index, draft) in drafts.enumerated() {
            var body = ByteBuffer(bytes: [0])
            body.writeVarint(draft.timestamp)
            body.writeVarint(Int64(index))
            for text in [draft.key, draft.value] {
                body.writeVarint(text.map { Int64($0.utf8.count) } ?? -1)
                body.writeString(text ?? "")
            }
            body.writeVarint(0)
            records.writeVarint(Int64(body.readableBytes))
            records.writeBuffer(&body)
        }
        var bytes = ByteBuffer()
        bytes.writeInteger(Int64(0))
        bytes.writeInteger(Int32(RecordBatchHeader.size - RecordBatchHeader.lengthOverhead + records.readableBytes))
        bytes.writeInteger(Int32(-1))
        bytes.writeInteger(Int8(2))
        bytes.writeInteger(UInt32(0))
        bytes.writeInteger(Int16(isTransactional ? 0x10 : 0))
        bytes.writeInteger(Int32(drafts.count - 1))
        bytes.writeInteger(baseTimestamp)
        bytes.writeInteger(baseTimestamp + (drafts.map(\.timestamp).max() ?? 0))
        bytes.writeInteger(producerID)
        bytes.writeInteger(epoch)
        bytes.writeInteger(sequence)
        bytes.writeInteger(Int32(drafts.count))
        bytes.writeBuffer(&records)
        let checksum = bytes.withUnsafeReadableBytes {
            CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[RecordBatchHeader.checkedFrom...]))
        }
        bytes.setInteger(checksum, at: 17)
        return bytes
    }

    /// A batch with this many records.
    static func make(
        _ count: Int = 1,
        producerID: Int64 = -1,
        epoch: Int16 = -1,
        sequence: Int32 = -1,
        isTransactional: Bool = false
    ) throws -> RecordBatch {
        try RecordBatch(
            produced: self.produced(
                (0..<count).map { Draft(key: "k\($0)", value: "v\($0)") },
                producerID: producerID,
                epoch: epoch,
                sequence: sequence,
                isTransactional: isTransactional
            )
        )
    }
}

extension ByteBuffer {
    /// Writes a zigzag variable-length integer.
    mutating func writeVarint(_ value: Int64) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        while rest >= 0x80 {
            self.writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        self.writeInteger(UInt8(rest))
    }
}
#endif
