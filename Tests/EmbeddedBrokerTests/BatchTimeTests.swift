import Foundation
import GRDB
import IntentLab
import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct BatchTimeTests {
    private struct Written {
        var offset: Int64
        var timestamp: Int64
    }

    private static let partitions: [Int64] = [1, 2, BatchKey.maxPartition]

    private func open<Result>(_ path: String, _ body: (LogStore) throws -> Result) throws -> Result {
        try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
            defer { store.rollback() }
            return try body(store)
        }
    }

    /// Appends batches with gaps between them, so that many chunks have a few each.
    private func write(_ count: Int, to log: inout [Int64: [Written]], _ store: LogStore, _ random: inout SeededNumbers)
        throws
    {
        for _ in 0..<count {
            let partition = Self.partitions[random.below(Self.partitions.count)]
            let offset = (log[partition]?.last?.offset ?? -1) + 1 + Int64(random.below(3_000))
            let timestamp = 1_000 + Int64(random.below(500))
            let batch = try RecordBatch(produced: RecordBatch.produced([.init(key: "k")], baseTimestamp: timestamp))
            try store.save(batch.placed(at: offset), partition: partition)
            log[partition, default: []].append(Written(offset: offset, timestamp: timestamp))
        }
        try store.commit()
    }

    /// Compares the result with a search through all batches.
    private func check(_ log: [Int64: [Written]], _ store: LogStore) throws {
        for partition in Self.partitions {
            let batches = log[partition] ?? []
            for timestamp in stride(from: Int64(990), through: 1_510, by: 13) {
                let first = batches.first { $0.timestamp >= timestamp }?.offset
                #expect(try store.firstBatch(partition: partition, since: timestamp) == first)
            }
            let latest = batches.max { ($0.timestamp, -$0.offset) < ($1.timestamp, -$1.offset) }?.offset
            #expect(try store.latestBatch(partition: partition) == latest)
        }
    }

    @Test(
        "Looking up by time finds the batch that a full scan finds, also after restarts, retention and compaction",
        arguments: UInt64(1)...5
    )
    func findsByTimeAsFullScanDoes(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var log: [Int64: [Written]] = [:]
        try withTemporaryFile { path in
            for _ in 0..<4 {
                try self.open(path) { store in
                    try self.check(log, store)
                    try self.write(60, to: &log, store, &random)
                    try self.check(log, store)
                    for partition in Self.partitions {
                        let batches = log[partition] ?? []
                        guard batches.count > 4 else { continue }
                        // Retention drops the beginning, compaction drops a batch in the middle.
                        let start = batches[random.below(3)].offset
                        try store.dropBatches(partition: partition, below: start)
                        let middle = batches[3 + random.below(batches.count - 4)].offset
                        try store.dropBatch(partition: partition, baseOffset: middle)
                        log[partition] = batches.filter { $0.offset >= start && $0.offset != middle }
                    }
                    try self.check(log, store)
                    try store.commit()
                }
            }
        }
    }

    @Test("A batch that spans two chunks is found when only its end is left")
    func findsBatchAcrossChunks() throws {
        try withTemporaryFile { path in
            try self.open(path) { store in
                for (offset, count) in [(Int64(0), 4_000), (4_000, 200), (4_200, 1)] {
                    let records = RecordBatch.produced((0..<count).map { _ in .init(key: "k") }, baseTimestamp: 7_000)
                    let batch = try RecordBatch(produced: records)
                    try store.save(batch.placed(at: offset), partition: 1)
                }
                try store.dropBatches(partition: 1, below: 4_150)
                #expect(try store.firstBatch(partition: 1, since: 7_000) == 4_000)
                #expect(try store.latestBatch(partition: 1) == 4_000)
            }
        }
    }

    @Test("A file of the version with an index is upgraded, also after that version has written to it again")
    func upgradesTimeIndexAgainAfterDowngrade() throws {
        var random = SeededNumbers(seed: 11)
        var log: [Int64: [Written]] = [:]
        try withTemporaryFile { path in
            try self.open(path) { store in
                try self.write(100, to: &log, store, &random)
                try store.settle()
                try store.commit()
                // The file as the previous version leaves it.
                try store.db.execute(
                    sql: """
                        DROP TABLE batch_times; DROP TRIGGER drop_batch_times;
                        CREATE INDEX batches_by_time ON batches (partition, max_timestamp);
                        """
                )
            }
            try self.open(path) { store in
                #expect(try store.db.indexes(on: "batches").isEmpty)
                #expect(try Int.fetchOne(store.db, sql: "PRAGMA user_version") == 2)
                try self.check(log, store)
            }
            // The previous version again: it knows nothing of chunks.
            try DatabaseQueue(path: path)
                .writeWithoutTransaction { db in
                    for offset in stride(from: Int64(900_000), to: 920_000, by: 1_000) {
                        let timestamp = 2_000 - offset / 1_000
                        let records = RecordBatch.produced([.init(key: "k")], baseTimestamp: timestamp)
                        try db.execute(
                            sql: "INSERT OR REPLACE INTO batches VALUES (?, 1, ?, ?, ?)",
                            arguments: [
                                BatchKey.make(partition: 1, offset: offset), offset, timestamp,
                                records.withUnsafeReadableBytes { Data($0) },
                            ]
                        )
                        log[1, default: []].append(Written(offset: offset, timestamp: timestamp))
                    }
                    // It drops a topic, whose row is used again.
                    try db.execute(sql: "INSERT INTO partitions VALUES (2, 1, 0, 0, 0)")
                    try db.execute(sql: "DELETE FROM batches WHERE partition = 2")
                    try db.execute(sql: "DELETE FROM partitions WHERE id = 2")
                    log[2] = []
                }
            try self.open(path) { store in
                try self.check(log, store)
                try self.write(50, to: &log, store, &random)
                try self.check(log, store)
            }
        }
    }
}
