import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct CompressionTests {
    private let drafts: [RecordBatch.Draft] = (0..<2_000)
        .map { .init(key: "k\($0)", value: String(repeating: "v\($0) ", count: 30), timestamp: Int64($0)) }

    private func bounds(recordBytes: Int = 1 << 20, batchBytes: Int = 1 << 20) -> RecordBounds {
        var bounds = RecordBounds(TopicConfiguration())
        bounds.recordBytes = recordBytes
        bounds.batchBytes = batchBytes
        return bounds
    }

    @Test("Records are read in every codec, and stored as they were produced", arguments: MadeCompression.allCases)
    func keepsRecordsCompressedAsProduced(codec: MadeCompression) throws {
        let plain = RecordBatch.produced(self.drafts)
        let bytes = RecordBatch.compressed(plain, codec)
        let placed = try RecordBatch(produced: bytes).placed(at: 7)
        #expect(
            placed.bytes.getSlice(at: 16, length: placed.size - 16) == bytes.getSlice(at: 16, length: placed.size - 16)
        )
        let records = try #require(Record.records(in: placed))
        #expect(records.map(\.offset) == Array(7..<2_007))
        #expect(records.last?.key.map { String(buffer: $0) } == "k1999")
    }

    @Test(
        "Compressed records that are garbage are refused, whatever their checksum",
        arguments: MadeCompression.allCases
    )
    func refusesInvalidCompressedData(codec: MadeCompression) throws {
        let plain = RecordBatch.produced(self.drafts)
        func refuses(_ spoil: (inout [UInt8]) -> Void) {
            let bytes = RecordBatch.compressed(plain, codec, spoil: spoil)
            #expect(throws: RecordBatchError.self) { try RecordBatch(produced: bytes) }
        }
        refuses { $0 = Array(repeating: 0xa5, count: 200) }
        refuses { $0 = [] }
        refuses { $0.removeLast() }
        refuses { $0.append(0) }
        refuses { $0 = Array($0.prefix($0.count / 2)) }
        refuses { $0 = Array($0.prefix(3)) }
    }

    @Test("A record that is not as the header says is refused in every codec", arguments: MadeCompression.allCases)
    func refusesRecordsThatContradictHeader(codec: MadeCompression) throws {
        let plain = RecordBatch.produced([.init(key: "a", value: "1"), .init(key: "b", value: "2")])
        func refuses(_ change: (inout [UInt8]) -> Void, _ comment: Comment) {
            let bytes = RecordBatch.compressed(plain, codec, change: change)
            #expect(throws: RecordBatchError.invalid, comment) { try RecordBatch(produced: bytes) }
        }
        // A record: length 8 (zigzag 16), attributes, time, offset, key length 1, key, value length 1, value, headers.
        #expect(plain.getBytes(at: 61, length: 9) == [16, 0, 0, 0, 2, 97, 2, 49, 0])
        refuses({ $0[3] = 2 }, "the first offset is 1")
        refuses({ $0[12] = 4 }, "the second offset is 2")
        refuses({ $0[12] = 0 }, "an offset is there twice")
        refuses({ $0[4] = 3 }, "a key of -2 bytes")
        refuses({ $0[4] = 100 }, "a key beyond its record")
        refuses({ $0[6] = 3 }, "a value of -2 bytes")
        refuses({ $0[6] = 100 }, "a value beyond its record")
        refuses({ $0[8] = 2 }, "a header that is not there")
        refuses({ $0[8] = 1 }, "-1 headers")
        refuses({ $0[0] = 18 }, "a length that takes from the next record")
        refuses({ $0[0] = 14 }, "a length that leaves a byte")
        refuses({ $0[0] = 15 }, "a negative length")
        refuses({ $0 += $0.prefix(9) }, "one record more")
        refuses({ $0.removeLast(9) }, "one record less")
        refuses({ $0.append(0) }, "a byte more")
        refuses({ $0.removeLast() }, "a byte less")
        refuses(
            { $0.replaceSubrange(0...0, with: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]) },
            "long"
        )
    }

    @Test("Overflowing timestamps are refused; a wrong maximum timestamp in the header is corrected, as in Kafka")
    func refusesOverflowingTimesAndCorrectsMaximum() throws {
        let latest = RecordBatch.produced([.init(key: "a", value: "1", timestamp: 1)], baseTimestamp: 1_000)
        for (base, delta) in [(Int64.max, Int64(1)), (.min, -1), (.max, .max), (.min, .min), (1, .max)] {
            var bytes = RecordBatch.produced([.init(key: "a", value: "1", timestamp: delta)], baseTimestamp: 0)
            bytes.setInteger(base, at: 27)
            let mended = RecordBatch.mended(bytes)
            #expect(throws: RecordBatchError.invalid) { try RecordBatch(produced: mended) }
        }
        for claimed in [Int64.min, -1, 0, 1_000, 1_002, .max] {
            var bytes = latest
            bytes.setInteger(claimed, at: 35)
            let placed = try RecordBatch(produced: RecordBatch.mended(bytes)).placed(at: 3)
            #expect(placed.header.maxTimestamp == 1_001)
            #expect(RecordBatchHeader(peeking: placed.bytes) == placed.header)
            #expect(RecordBatch.checksum(of: placed.bytes) == placed.header.checksum)
        }
        var stamped = latest
        stamped.setInteger(Int16(8), at: 21)
        let mended = RecordBatch.mended(stamped)
        #expect(throws: RecordBatchError.invalidTimestamp) { try RecordBatch(produced: mended) }
    }

    @Test("A record is bounded by what it is before compression", arguments: MadeCompression.allCases)
    func boundsRecordsBeforeCompression(codec: MadeCompression) throws {
        let drafts: [RecordBatch.Draft] = [
            .init(key: "a", value: "1"), .init(key: "b", value: String(repeating: "x", count: 10_000)),
        ]
        let bytes = RecordBatch.compressed(RecordBatch.produced(drafts), codec)
        // Attributes, time, offset and the lengths need another eight bytes, and the key one.
        _ = try RecordBatch(produced: bytes, bounds: self.bounds(recordBytes: 10_009))
        #expect(throws: RecordBatchError.tooLarge) {
            try RecordBatch(produced: bytes, bounds: self.bounds(recordBytes: 10_008))
        }
    }

    @Test("What a batch becomes is bounded, and nothing beyond is expanded", arguments: MadeCompression.allCases)
    func boundsExpandedBatches(codec: MadeCompression) throws {
        let plain = RecordBatch.produced(self.drafts)
        let size = plain.readableBytes - RecordBatchHeader.size
        let bytes = RecordBatch.compressed(plain, codec)
        _ = try RecordBatch(produced: bytes, bounds: self.bounds(batchBytes: size))
        #expect(throws: RecordBatchError.tooLarge) {
            try RecordBatch(produced: bytes, bounds: self.bounds(batchBytes: size - 1))
        }
    }

    @Test("64 MiB in a few KB end at the bound", arguments: MadeCompression.allCases)
    func stopsDecompressionBombsAtBound(codec: MadeCompression) throws {
        let plain = RecordBatch.produced([.init(key: "a", value: String(repeating: "a", count: 64 << 20))])
        let bytes = RecordBatch.compressed(plain, codec)
        #expect(throws: RecordBatchError.tooLarge) { try RecordBatch(produced: bytes) }
    }

    @Test("A Produce of garbage is answered for its partition, and nothing is appended")
    func refusesInvalidBatchInProduce() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                try broker.create("c", ["cleanup.policy": "compact"])
                for codec in MadeCompression.allCases where codec != .none {
                    let plain = RecordBatch.produced([.init(key: nil, value: "1")])
                    let garbage = RecordBatch.compressed(
                        plain,
                        codec,
                        spoil: {
                            $0[$0.count / 2] ^= 0x55
                            $0.removeLast()
                        }
                    )
                    #expect(try broker.produce(garbage).errorCode == .invalidRecord)
                    let keyless = RecordBatch.compressed(plain, codec)
                    #expect(try broker.produce(keyless, to: "c").errorCode == .invalidRecord)
                    let large = RecordBatch.produced([.init(key: "a", value: String(repeating: "a", count: 2 << 20))])
                    #expect(try broker.produce(RecordBatch.compressed(large, codec)).errorCode == .messageTooLarge)
                }
                #expect(try broker.read().highWatermark == 0)
            }
        }
    }

    @Test("With compression.type=uncompressed the whole batch is bounded as it is before compression, as on Kafka")
    func uncompressedTopicsBoundWholeBatch() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("p", ["max.message.bytes": "100000"])
                try broker.create("u", ["max.message.bytes": "100000", "compression.type": "uncompressed"])
                let many = RecordBatch.produced(
                    (0..<3).map { _ in .init(key: "a", value: String(repeating: "a", count: 40_000)) }
                )
                for codec in MadeCompression.allCases where codec != .none {
                    let bytes = RecordBatch.compressed(many, codec)
                    #expect(try broker.produce(bytes, to: "p").errorCode == .none)
                    #expect(try broker.produce(bytes, to: "u").errorCode == .messageTooLarge)
                }
            }
        }
    }
}
