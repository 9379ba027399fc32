import NIOCore

/// One uncompressed record of a batch; the broker interprets only the parts of it that it needs.
struct Record: Sendable {
    var offset: Int64
    /// The record's time in milliseconds.
    var timestamp: Int64
    /// The key; nil is null.
    var key: ByteBuffer?
    /// Whether the value is null.
    var isTombstone: Bool
    /// The record with its length prefix, to be copied as it is.
    var bytes: ByteBuffer
}

extension Record {
    /// The records of a batch, or nil when they cannot be decompressed or parsed.
    static func records(in batch: RecordBatch) -> [Record]? {
        guard var rest = batch.uncompressedRecords, batch.header.recordCount >= 0 else { return nil }
        var records: [Record] = []
        for _ in 0..<batch.header.recordCount {
            guard let record = Record(reading: &rest, header: batch.header) else { return nil }
            records.append(record)
        }
        return rest.readableBytes == 0 ? records : nil
    }

    private init?(reading rest: inout ByteBuffer, header: RecordBatchHeader) {
        let before = rest
        guard let length = rest.readVarint(), length > 0, length <= Int64(rest.readableBytes),
            var body = rest.readSlice(length: Int(length)),
            let bytes = before.getSlice(at: before.readerIndex, length: rest.readerIndex - before.readerIndex),
            body.readInteger(as: Int8.self) != nil,
            let timestampDelta = body.readVarint(),
            let offsetDelta = body.readVarint(),
            let keyLength = body.readVarint(), keyLength <= Int64(body.readableBytes)
        else { return nil }
        self.key = keyLength < 0 ? nil : body.readSlice(length: Int(keyLength))
        guard let valueLength = body.readVarint() else { return nil }
        self.isTombstone = valueLength < 0
        let (timestamp, overflow) = header.baseTimestamp.addingReportingOverflow(timestampDelta)
        guard !overflow, offsetDelta >= 0, offsetDelta <= Int64(header.lastOffsetDelta) else { return nil }
        self.timestamp = timestamp
        self.offset = header.baseOffset + offsetDelta
        self.bytes = bytes
    }
}

extension ByteBuffer {
    /// Reads a zigzag variable-length integer of at most ten bytes.
    fileprivate mutating func readVarint() -> Int64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = self.readInteger(as: UInt8.self) else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
        }
        return nil
    }
}
