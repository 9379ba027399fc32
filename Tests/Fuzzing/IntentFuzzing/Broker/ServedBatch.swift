#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

/// Reads a served batch as a consumer does, without help from the broker's own reader of records.
enum ServedBatch {
    /// What a consumer could not read, or would read twice; nil if nothing.
    static func problem(of bytes: ByteBuffer) -> String? {
        guard let batch = RecordBatch(stored: bytes), batch.header.magic == 2 else { return "no batch" }
        let header = batch.header
        guard bytes.getInteger(at: bytes.readerIndex + 8, as: Int32.self) == Int32(bytes.readableBytes - 12) else {
            return "its length is wrong"
        }
        guard RecordBatch.checksum(of: bytes) == header.checksum else { return "its checksum is wrong" }
        guard header.lastOffsetDelta >= 0, header.recordCount > 0 else { return "it holds nothing" }
        guard var rest = batch.uncompressedRecords else { return "it cannot be decompressed" }
        var offsets: [Int64] = []
        var latest = Int64.min
        for _ in 0..<header.recordCount {
            guard let record = Self.record(&rest, base: header.baseTimestamp) else {
                return "record \(offsets.count) cannot be read"
            }
            offsets.append(record.offset)
            latest = max(latest, record.time)
        }
        guard rest.readableBytes == 0 else { return "there is more than its records" }
        guard offsets.allSatisfy({ (0...Int64(header.lastOffsetDelta)).contains($0) }),
            zip(offsets, offsets.dropFirst()).allSatisfy({ $0 < $1 })
        else { return "its offsets are \(offsets.prefix(10))" }
        // Compaction removes records and leaves the latest time.
        guard header.isControl || latest <= header.maxTimestamp else { return "its latest time is wrong" }
        return nil
    }

    private static func record(_ rest: inout ByteBuffer, base: Int64) -> (offset: Int64, time: Int64)? {
        guard let length = Self.varint(&rest), length > 0, var body = rest.readSlice(length: Int(clamping: length)),
            body.readInteger(as: UInt8.self) != nil, let time = Self.varint(&body), let offset = Self.varint(&body),
            Self.skip(&body, canBeNull: true), Self.skip(&body, canBeNull: true),
            let headers = Self.varint(&body), headers >= 0
        else { return nil }
        for _ in 0..<headers {
            guard Self.skip(&body, canBeNull: false), Self.skip(&body, canBeNull: true) else { return nil }
        }
        let (sum, overflow) = base.addingReportingOverflow(time)
        return body.readableBytes == 0 && !overflow ? (offset, sum) : nil
    }

    private static func skip(_ body: inout ByteBuffer, canBeNull: Bool) -> Bool {
        guard let length = Self.varint(&body) else { return false }
        if length == -1, canBeNull { return true }
        guard length >= 0, length <= Int64(body.readableBytes) else { return false }
        body.moveReaderIndex(forwardBy: Int(length))
        return true
    }

    private static func varint(_ bytes: inout ByteBuffer) -> Int64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = bytes.readInteger(as: UInt8.self) else { return nil }
            value |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
        }
        return nil
    }
}
#endif
