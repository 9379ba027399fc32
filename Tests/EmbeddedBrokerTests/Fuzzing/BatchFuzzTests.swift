import IntentLab
import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// Batches that are changed in critical places: the numbers of header and records at their limits, the content of a
/// compressed batch, the compressed bytes themselves.
///
/// Lengths and checksum are always right.
struct BatchFuzzTests {
    private static let ends: [Int64] = [
        0, 1, -1, 2, 63, 64, Int64(Int32.max), Int64(Int32.max) - 1, Int64(Int32.min), .max, .max - 1, .min, .min + 1,
    ]

    /// Record fields in their order: attributes, time, offset, key, value, headers.
    private static func records(_ fields: [[[Int64]]]) -> [UInt8] {
        var bytes = ByteBuffer()
        for record in fields {
            var body = ByteBuffer(bytes: [0])
            for (number, field) in record.enumerated() where number > 0 {
                body.writeVarint(field[0])
                // A key, a value or a header's part of as many bytes as it had before the change.
                body.writeRepeatingByte(0x61, count: Int(field.count > 1 ? field[1] : 0))
            }
            bytes.writeVarint(record[0][0] == 0 ? Int64(body.readableBytes) : record[0][0])
            bytes.writeBuffer(&body)
        }
        return Array(bytes.readableBytesView)
    }

    private func spoiled(_ dice: inout ByteMutator) -> ByteBuffer {
        let count = 1 + dice.below(3)
        var fields: [[[Int64]]] = (0..<count)
            .map { number in
                [[0], [0], [Int64(number)], [1, 1], [2, 2], [1], [1, 1], [-1]]
            }
        if dice.below(2) == 0 {
            let record = dice.below(count)
            let field = dice.below(fields[record].count)
            fields[record][field][0] = Self.ends[dice.below(Self.ends.count)]
        }
        let plain = RecordBatch.produced(
            (0..<count).map { .init(key: "a", value: "bb", timestamp: Int64($0)) },
            baseTimestamp: dice.below(4) == 0 ? Self.ends[dice.below(Self.ends.count)] &- 10 : 1_000
        )
        var batch = ByteBuffer(bytes: plain.readableBytesView.prefix(RecordBatchHeader.size))
        batch.writeBytes(Self.records(fields))
        let codec = MadeCompression.allCases[dice.below(MadeCompression.allCases.count)]
        let change = dice.below(6)
        batch = RecordBatch.compressed(
            batch,
            codec,
            change: { if change == 0 { $0 = dice.mutated($0, with: [0, 1, 0xff]) } },
            spoil: { if change == 1 { $0 = dice.mutated($0, with: [0, 1, 0xff]) } }
        )
        if change == 2 {
            let (offset, size) = [(21, 2), (23, 4), (27, 8), (35, 8), (43, 8), (51, 2), (53, 4), (57, 4)][dice.below(8)]
            let value = Self.ends[dice.below(Self.ends.count)]
            switch size {
            case 2: batch.setInteger(Int16(truncatingIfNeeded: value), at: offset)
            case 4: batch.setInteger(Int32(truncatingIfNeeded: value), at: offset)
            default: batch.setInteger(value, at: offset)
            }
        }
        return RecordBatch.mended(batch)
    }

    @Test("Whatever batch is accepted, every consumer can read it; what is refused leaves nothing")
    func acceptedBatchesAreReadable() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create()
                var dice = ByteMutator(seed: 4)
                var (accepted, refused) = (0, 0)
                for round in 0..<6_000 {
                    let bytes = self.spoiled(&dice)
                    let before = broker.core.topics["t"]?.partitions[0].endOffset ?? 0
                    let result = try broker.produce(bytes)
                    let after = broker.core.topics["t"]?.partitions[0].endOffset ?? 0
                    guard result.errorCode == .none else {
                        refused += 1
                        #expect(after == before)
                        continue
                    }
                    accepted += 1
                    // A repeat of an idempotent producer's batch is accepted and not appended.
                    guard after > before else { continue }
                    let served = try broker.read(from: before, committedOnly: false).records
                    let problem = served.first.map { ServedBatch.problem(of: $0) } ?? "nothing is served"
                    #expect(problem == nil, "round \(round)")
                }
                #expect(accepted > 1_000 && refused > 1_000, "\(accepted) accepted, \(refused) refused")
            }
        }
    }
}
