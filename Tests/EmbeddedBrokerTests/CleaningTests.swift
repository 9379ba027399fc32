import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct CleaningTests {
    private func records(_ pairs: [(String, String?)], at timestamp: Int64) -> ByteBuffer {
        RecordBatch.produced(pairs.map { .init(key: $0.0, value: $0.1) }, baseTimestamp: timestamp)
    }

    /// Runs the cleaning once, completely.
    private func clean(_ broker: inout BrokerHarness) throws {
        try broker.pass(.seconds(30))
        while !broker.core.cleaner.uncleaned.isEmpty { try broker.pass(.milliseconds(1)) }
    }

    @Test func removesOldRecordsAndKeepsOffsets() throws {
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

    @Test func retentionStopsAtOpenTransaction() throws {
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

    @Test func compactionKeepsLatestOfEachKey() throws {
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
                // From the middle of a gap, the next record is read.
                #expect(try broker.read(from: 3).records.count == 1)
            }
        }
    }

    @Test func removesTombstonesAfterTheirTime() throws {
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

    @Test("Compaction keeps the last batch, even a marker, so that readers reach the end of the log")
    func compactionKeepsLastBatch() throws {
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
                // The last record is removed as soon as there is another.
                let pairs = (3...6).map { ("k", String?.some("\($0)")) }
                _ = try broker.produce(self.records(pairs, at: broker.now.wall))
                try self.clean(&broker)
                let batches = try broker.read().records.compactMap { RecordBatch(stored: $0) }
                #expect(batches.map(\.header.lastOffset) == [9])
            }
        }
    }

    @Test func stopsAtFirstOpenTransaction() throws {
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
        "A compressed batch is cleaned like any other; what is left is uncompressed",
        arguments: MadeCompression.allCases
    )
    func cleansCompressedBatches(codec: MadeCompression) throws {
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

    /// Appends a batch of one record, in a transaction that is then ended, or outside one.
    private func append(
        _ key: String,
        _ value: String,
        _ sequence: Int,
        by producer: (id: Int64, epoch: Int16),
        commit: Bool,
        _ broker: inout BrokerHarness
    ) throws {
        _ = try broker.begin("x", producer)
        _ = try broker.produce(
            RecordBatch.produced(
                [.init(key: key, value: value)],
                baseTimestamp: broker.now.wall,
                producerID: producer.id,
                epoch: producer.epoch,
                sequence: Int32(sequence),
                isTransactional: true
            )
        )
        _ = try broker.end("x", producer, commit: commit)
    }

    @Test("A partition is compacted in small steps, and readers find the right records after each of them")
    func compactsInStepsWhileReadersContinue() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(
                path: path,
                {
                    $0.minCompactionRecords = 1
                    $0.cleaningStepBytes = 400
                }
            ) { broker throws in
                try broker.create("t", ["cleanup.policy": "compact"])
                let producer = try broker.initialize("x", timeoutMs: 900_000)
                var latest: [String: String] = [:]
                for number in 0..<60 {
                    let (key, commit) = ("k\(number % 7)", number % 3 != 1)
                    try self.append(key, "\(number)", number, by: producer, commit: commit, &broker)
                    if commit { latest[key] = "\(number)" }
                }
                try broker.pass(.seconds(30))
                var steps = 0
                while !broker.core.cleaner.uncleaned.isEmpty {
                    #expect(Set(try broker.keys()) == Set(latest.keys))
                    // Requests come in between, and what they write is not touched.
                    try self.append("new\(steps)", "1", 60 + steps, by: producer, commit: true, &broker)
                    latest["new\(steps)"] = "1"
                    try broker.pass(.milliseconds(1))
                    steps += 1
                }
                // 60 records and as many markers in 9 KB, which are read twice.
                #expect(steps > 2 * 9_000 / 400)
                #expect(Set(try broker.keys()) == Set(latest.keys))
                #expect(try broker.keys().filter { $0.hasPrefix("k") }.count == 7)
                #expect(try broker.read().abortedTransactions?.isEmpty == true)
            }
        }
    }

    @Test func leavesRecreatedTopicAlone() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(
                path: path,
                {
                    $0.minCompactionRecords = 1
                    $0.cleaningStepBytes = 100
                }
            ) { broker throws in
                let now = broker.now.wall
                for _ in 0..<2 {
                    try broker.create("t", ["cleanup.policy": "compact"])
                    for number in 0..<20 { _ = try broker.produce(self.records([("a", "\(number)")], at: now)) }
                    try broker.pass(.seconds(30))
                    for _ in 0..<30 { try broker.pass(.milliseconds(1)) }
                    let delete = DeleteTopicsRequest(topicNames: ["t"])
                    _ = try broker.ask(.deleteTopics(delete), version: 1, DeleteTopicsResponse.self)
                    try broker.create("t", ["cleanup.policy": "compact"])
                    let pairs = (0..<20).map { ("a", String?.some("\($0)")) }
                    for pair in pairs { _ = try broker.produce(self.records([pair], at: now)) }
                    for _ in 0..<4 { try broker.pass(.milliseconds(1)) }
                    #expect(try broker.keys().count == 20)
                    _ = try broker.ask(.deleteTopics(delete), version: 1, DeleteTopicsResponse.self)
                    while !broker.core.cleaner.uncleaned.isEmpty { try broker.pass(.milliseconds(1)) }
                }
            }
        }
    }

    @Test("Retention runs in steps, and the log start offset moves with each of them")
    func retentionRunsInSteps() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.cleaningStepBytes = 300 }) { broker throws in
                try broker.create("t", ["retention.ms": "60000"])
                let now = broker.now.wall
                for _ in 0..<50 { _ = try broker.produce(self.records([("old", "1")], at: now - 60_000)) }
                _ = try broker.produce(self.records([("young", "1")], at: now))
                try broker.pass(.seconds(30))
                var starts: [Int64] = []
                while !broker.core.cleaner.uncleaned.isEmpty {
                    starts.append(try broker.read(from: 50).logStartOffset)
                    try broker.pass(.milliseconds(1))
                }
                #expect(starts.filter { $0 > 0 && $0 < 50 }.count > 5)
                #expect(try broker.read(from: 50).logStartOffset == 50)
            }
        }
    }

    @Test("After a step the cleaner rests nine times as long as the step took")
    func restsNineTimesAsLongAsStep() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path) { broker throws in
                try broker.create("t")
                broker.now.monotonic += 30_000
                var clock = broker.now.monotonic * 1_000
                try broker.core.tick(at: broker.now) {
                    clock += 4_000
                    return clock
                }
                #expect(!broker.core.cleaner.uncleaned.isEmpty)
                let cleaning = try #require(broker.core.deadlines.next)
                #expect(cleaning == clock / 1_000 + 36)
                #expect(LogCleaner.pause(afterCleaningFor: 10) == 1)
            }
        }
    }

    @Test func unreadableBatchKeepsLaterTombstones() throws {
        var plan = CompactionPlan(end: 100, aborted: [], tombstonesBefore: .max)
        var bytes = self.records([("a", "1")], at: 0)
        bytes.setInteger(Int16(1), at: 21)
        let opaque = try #require(RecordBatch(stored: bytes))
        let tombstone = try RecordBatch(produced: self.records([("a", nil)], at: 0)).placed(at: 1)
        plan.record(opaque)
        plan.record(tombstone)
        guard case .keep = plan.verdict(on: opaque), case .keep = plan.verdict(on: tombstone) else {
            Issue.record("something that is needed goes")
            return
        }
    }
}
