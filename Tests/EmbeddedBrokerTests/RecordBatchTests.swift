import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct RecordBatchTests {
    private let drafts: [RecordBatch.Draft] = [
        .init(key: "a", value: "1"), .init(key: nil, value: "2", timestamp: 1_000),
        .init(key: "c", value: nil, timestamp: 2_000),
    ]

    @Test func keepsProducersBytesAfterLeaderEpoch() throws {
        let bytes = RecordBatch.produced(self.drafts)
        let placed = try RecordBatch(produced: bytes).placed(at: 42)
        #expect(placed.header.baseOffset == 42)
        #expect(placed.header.lastOffset == 44)
        #expect(
            placed.bytes.getSlice(at: 16, length: placed.size - 16) == bytes.getSlice(at: 16, length: placed.size - 16)
        )
    }

    @Test func decodesUncompressedRecords() throws {
        let placed = try RecordBatch(produced: RecordBatch.produced(self.drafts, baseTimestamp: 5_000)).placed(at: 10)
        let records = try #require(Record.records(in: placed))
        #expect(records.map(\.offset) == [10, 11, 12])
        #expect(records.map(\.timestamp) == [5_000, 6_000, 7_000])
        #expect(records.map { $0.key.map { String(buffer: $0) } } == ["a", nil, "c"])
        #expect(records.map(\.isTombstone) == [false, false, true])
    }

    @Test func refusesFlippedBit() throws {
        var bytes = RecordBatch.produced(self.drafts)
        bytes.setInteger(UInt8(0xff), at: bytes.writerIndex - 2)
        #expect(throws: RecordBatchError.corrupt) { try RecordBatch(produced: bytes) }
    }

    @Test(arguments: [Int8(0), 1]) func refusesOldFormats(magic: Int8) {
        var bytes = RecordBatch.produced(self.drafts)
        bytes.setInteger(magic, at: 16)
        #expect(throws: RecordBatchError.oldFormat) { try RecordBatch(produced: bytes) }
    }

    @Test func refusesTwoBatchesAtOnce() {
        var bytes = RecordBatch.produced(self.drafts)
        bytes.writeImmutableBuffer(RecordBatch.produced(self.drafts))
        #expect(throws: RecordBatchError.invalid) { try RecordBatch(produced: bytes) }
    }

    @Test("A batch that claims more records than it holds is refused: it would leave a gap in the offsets")
    func refusesWrongRecordCounts() {
        for count in [1, 4, 1_000_000] as [Int32] {
            var bytes = RecordBatch.produced(self.drafts)
            bytes.setInteger(count - 1, at: 23)
            bytes.setInteger(count, at: 57)
            let checksum = bytes.withUnsafeReadableBytes {
                CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[RecordBatchHeader.checkedFrom...]))
            }
            bytes.setInteger(checksum, at: 17)
            guard Int(count) != self.drafts.count else { continue }
            #expect(throws: RecordBatchError.invalid) { try RecordBatch(produced: bytes) }
        }
    }

    @Test func refusesEveryTruncation() {
        let bytes = RecordBatch.produced(self.drafts)
        for length in 0..<bytes.readableBytes {
            #expect(throws: RecordBatchError.self) { try RecordBatch(produced: bytes.getSlice(at: 0, length: length)!) }
        }
    }

    @Test(arguments: [ControlMarker.abort, .commit]) func markersAreValidControlBatches(marker: ControlMarker) throws {
        let batch = marker.batch(producerID: 7, producerEpoch: 3, at: 99, timestamp: 1_234)
        #expect(batch.header.isControl && batch.header.isTransactional)
        #expect(batch.header.lastOffset == 99)
        let checked = batch.bytes.getSlice(at: 21, length: batch.size - 21)!
        #expect(checked.withUnsafeReadableBytes { CRC32C.checksum($0) } == batch.header.checksum)
        let record = try #require(Record.records(in: batch)?.first)
        #expect(record.key?.getInteger(at: record.key!.readerIndex + 2, as: Int16.self) == marker.rawValue)
        // A producer may not send one itself.
        #expect(throws: RecordBatchError.invalid) { try RecordBatch(produced: batch.bytes) }
    }
}
