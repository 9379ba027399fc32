import NIOCore
import Testing

@testable import EmbeddedBroker

struct CleaningTests {
    private func records(_ pairs: [(String, String?)], at timestamp: Int64) -> ByteBuffer {
        RecordBatch.produced(pairs.map { .init(key: $0.0, value: $0.1) }, baseTimestamp: timestamp)
    }

    /// Lets one whole run of the cleaning pass.
    private func clean(_ broker: inout BrokerHarness) throws {
        try broker.pass(.seconds(30))
        for _ in 0..<4 { try broker.pass(.milliseconds(1)) }
    }

    @Test func oldRecordsGoAndOffsetsStay() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("t", ["retention.ms": "60000"])
                let now = broker.now.wall
                _ = try broker.produce(self.records([("old", "1"), ("old", "2")], at: now - 60_000))
                _ = try broker.produce(self.records([("young", "3")], at: now))
                try self.clean(&broker)
                #expect(try broker.read(from: 2).logStartOffset == 2)
                #expect(try broker.read(from: 0).errorCode == .offsetOutOfRange)
                try self.clean(&broker)
                try self.clean(&broker)
                #expect(try broker.read(from: 3).logStartOffset == 3)
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try broker.read(from: 3).highWatermark == 3)
                let result = try broker.produce(self.records([("next", "4")], at: broker.now.wall))
                #expect(result.baseOffset == 3 && result.logStartOffset == 3)
            }
        }
    }

    @Test func retentionStopsAtAnOpenTransaction() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.maxTransactionTimeout = .seconds(900) }) { broker throws in
                try broker.create("t", ["retention.ms": "1000"])
                let producer = try broker.initialize("x", timeoutMs: 900_000)
                _ = try broker.begin("x", producer)
                _ = try broker.produce(
                    RecordBatch.produced(
                        [.init(key: "open", value: "1")],
                        baseTimestamp: 0,
                        producerID: producer.id,
                        epoch: producer.epoch,
                        sequence: 0,
                        isTransactional: true
                    )
                )
                try self.clean(&broker)
                #expect(try broker.read().logStartOffset == 0)
                _ = try broker.end("x", producer, commit: true)
                #expect(try broker.keys() == ["open"])
            }
        }
    }

    @Test func compactionKeepsTheLatestOfEachKeyAtItsOffset() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.minCompactionRecords = 1 }) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact"])
                let now = broker.now.wall
                _ = try broker.produce(self.records([("a", "1"), ("b", "1"), ("c", "1")], at: now))
                _ = try broker.produce(self.records([("a", "2")], at: now))
                _ = try broker.produce(self.records([("b", nil), ("a", "3")], at: now))
                try self.clean(&broker)
                #expect(try broker.keys() == ["c", "b", "a"])
                let batches = try broker.read().records.compactMap { RecordBatch(stored: $0) }
                #expect(batches.flatMap { Record.records(in: $0) ?? [] }.map(\.offset) == [2, 4, 5])
                #expect(batches.map(\.header.baseOffset) == [0, 4])
                for batch in batches {
                    let checked = batch.bytes.getSlice(at: 21, length: batch.size - 21)!
                    #expect(checked.withUnsafeReadableBytes { CRC32C.checksum($0) } == batch.header.checksum)
                }
                // From the middle of a gap the next record comes.
                #expect(try broker.read(from: 3).records.count == 1)
            }
        }
    }

    @Test func tombstonesGoAfterTheirTime() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.minCompactionRecords = 1 }) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact", "delete.retention.ms": "60000"])
                let now = broker.now.wall
                _ = try broker.produce(self.records([("a", "1"), ("a", nil), ("b", "1")], at: now))
                try self.clean(&broker)
                #expect(try broker.keys() == ["a", "b"])
                _ = try broker.produce(self.records([("c", "1")], at: now + 60_000))
                try self.clean(&broker)
                try self.clean(&broker)
                _ = try broker.produce(self.records([("d", "1")], at: now + 90_000))
                try self.clean(&broker)
                #expect(try broker.keys() == ["b", "c", "d"])
            }
        }
    }

    @Test func abortedRecordsNeverReplaceCommittedOnes() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.minCompactionRecords = 1 }) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact"])
                let producer = try broker.initialize("x", timeoutMs: 900_000)
                for (sequence, commit) in [true, false, true].enumerated() {
                    _ = try broker.begin("x", producer)
                    _ = try broker.produce(
                        RecordBatch.produced(
                            [.init(key: commit ? "k\(sequence)" : "k0", value: "\(sequence)")],
                            baseTimestamp: broker.now.wall,
                            producerID: producer.id,
                            epoch: producer.epoch,
                            sequence: Int32(sequence),
                            isTransactional: true
                        )
                    )
                    _ = try broker.end("x", producer, commit: commit)
                }
                try self.clean(&broker)
                #expect(try broker.keys() == ["k0", "k2"])
                #expect(try broker.read().abortedTransactions?.isEmpty == true)
                #expect(try broker.read(from: 6).errorCode == .none)
            }
            try BrokerHarness.run(path: path) { broker throws in
                #expect(try broker.keys() == ["k0", "k2"])
                #expect(try broker.read().highWatermark == 6)
            }
        }
    }

    @Test("Compaction leaves the last batch, a marker too, so that who reads the log comes to its end")
    func theEndStays() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.minCompactionRecords = 1 }) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact"])
                let producer = try broker.initialize("x", timeoutMs: 900_000)
                for (sequence, commit) in [true, true, false].enumerated() {
                    _ = try broker.begin("x", producer)
                    _ = try broker.produce(
                        RecordBatch.produced(
                            [.init(key: "k", value: "\(sequence)")],
                            baseTimestamp: broker.now.wall,
                            producerID: producer.id,
                            epoch: producer.epoch,
                            sequence: Int32(sequence),
                            isTransactional: true
                        )
                    )
                    _ = try broker.end("x", producer, commit: commit)
                    try self.clean(&broker)
                    let batches = try broker.read().records.compactMap { RecordBatch(stored: $0) }
                    #expect(batches.last?.header.lastOffset == Int64(sequence * 2 + 1))
                    #expect(try broker.keys() == ["k"])
                }
                // What was the last one goes as soon as there is another.
                let pairs = (3...6).map { ("k", String?.some("\($0)")) }
                _ = try broker.produce(self.records(pairs, at: broker.now.wall))
                try self.clean(&broker)
                let batches = try broker.read().records.compactMap { RecordBatch(stored: $0) }
                #expect(batches.map(\.header.lastOffset) == [9])
            }
        }
    }

    @Test func nothingFromAnOpenTransactionOnIsTouched() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(
                path: path,
                {
                    $0.minCompactionRecords = 1
                    $0.maxTransactionTimeout = .seconds(900)
                }
            ) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact"])
                _ = try broker.produce(self.records([("a", "1"), ("a", "2")], at: broker.now.wall))
                let producer = try broker.initialize("x", timeoutMs: 900_000)
                _ = try broker.begin("x", producer)
                _ = try broker.produce(
                    RecordBatch.produced(
                        [.init(key: "a", value: "open")],
                        producerID: producer.id,
                        epoch: producer.epoch,
                        sequence: 0,
                        isTransactional: true
                    )
                )
                try self.clean(&broker)
                #expect(try broker.keys() == ["a"])
                #expect(try broker.end("x", producer, commit: false) == .none)
                #expect(try broker.keys() == ["a"])
            }
        }
    }

    @Test(
        "A compressed batch is cleaned like any other; what is left of it is uncompressed",
        arguments: MadeCompression.allCases
    )
    func compressedBatches(codec: MadeCompression) throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.minCompactionRecords = 1 }) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact"])
                let now = broker.now.wall
                for pairs in [[("a", "1"), ("b", "1")], [("a", "2")], [("c", "1")]] {
                    let records = RecordBatch.compressed(self.records(pairs, at: now), codec)
                    #expect(try broker.produce(records).errorCode == .none)
                }
                try self.clean(&broker)
                #expect(try broker.keys() == ["b", "a", "c"])
                let batches = try broker.read().records.compactMap { RecordBatch(stored: $0) }
                #expect(batches.map(\.header.lastOffset) == [1, 2, 3])
                #expect(batches.map(\.header.compression) == [0, codec.number, codec.number])
                #expect(batches.allSatisfy { RecordBatch.checksum(of: $0.bytes) == $0.header.checksum })
            }
        }
    }

    @Test func aBatchThatCannotBeReadStaysAndKeepsTombstonesBehindIt() throws {
        var plan = CompactionPlan(end: 100, aborted: [], tombstonesBefore: .max)
        var bytes = self.records([("a", "1")], at: 0)
        bytes.setInteger(Int16(1), at: 21)
        let opaque = try #require(RecordBatch(stored: bytes))
        let tombstone = try RecordBatch(produced: self.records([("a", nil)], at: 0)).placed(at: 1)
        plan.note(opaque)
        plan.note(tombstone)
        guard case .keep = plan.verdict(on: opaque), case .keep = plan.verdict(on: tombstone) else {
            Issue.record("something that is needed goes")
            return
        }
    }
}
