import Foundation
import GRDB
import IntentLab
import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

/// Rounds that are not in SQLite yet, and what happens to them when the process crashes.
struct RoundTests {
    /// The content of a store.
    private struct Content: Equatable {
        var bases: [Int64: [Int64]] = [:]
        var ends: [Int64: Int64] = [:]
        var lastUsed: [Int64: Int64] = [:]
        var offsets: [Int32: Int64] = [:]
        var epoch: Int16?
    }

    private static let partitions: [Int64] = [1, 2, 3]

    /// Copies the file as a process that is killed now would leave it.
    private func copy(_ path: String, to name: String) throws -> String {
        let copy = path + "." + name
        for suffix in ["", "-wal", ".rounds"] where FileManager.default.fileExists(atPath: path + suffix) {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return copy
    }

    private func content(of path: String) throws -> Content {
        try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
            var content = Content()
            for partition in Self.partitions {
                let batches = try store.batches(partition: partition, from: 0, upTo: .max, maxBytes: .max)
                guard !batches.isEmpty else { continue }
                content.bases[partition] = batches.map(\.header.baseOffset)
                content.ends[partition] = batches.last.map { $0.header.lastOffset + 1 }
                content.lastUsed[partition] = try store.producers(partition: partition)[7]?.lastUsed
            }
            let now = BrokerTime(monotonic: 0, wall: 0)
            for (partition, committed) in try store.groups(at: now)["g"]?.offsets ?? [:] {
                content.offsets[partition.partition] = committed.offset
            }
            content.epoch = try store.transactions(at: now)["x"]?.epoch
            return content
        }
    }

    /// Writes some of what rounds write, and returns the content that is then expected.
    private func write(_ content: inout Content, _ number: Int, _ store: LogStore, _ random: inout SeededNumbers) throws
    {
        for _ in 0..<1 + random.below(4) {
            let partition = Self.partitions[random.below(Self.partitions.count)]
            let records = (0..<1 + random.below(3)).map { _ in RecordBatch.Draft(key: "k", value: "v\(number)") }
            let base = content.ends[partition] ?? 0
            let batch = try RecordBatch(produced: RecordBatch.produced(records)).placed(at: base)
            try store.append(batch, partition: partition)
            content.bases[partition, default: []].append(base)
            content.ends[partition] = batch.header.lastOffset + 1
            var state = ProducerState(epoch: 0, lastUsed: Int64(number))
            state.remember(batch.header, at: Int64(number))
            try store.save(state, producer: 7, partition: partition)
            content.lastUsed[partition] = Int64(number)
        }
        let partition = TopicPartition(topic: "t", partition: Int32(random.below(3)))
        let committed = CommittedOffset(offset: Int64(number), leaderEpoch: -1, metadata: nil, committedAt: 0)
        try store.save(committed, group: "g", partition: partition)
        content.offsets[partition.partition] = Int64(number)
        let epoch = Int16(number)
        try store.save(
            TransactionalProducer(transactionalID: "x", producerID: 7, epoch: epoch, timeoutMs: 1, lastUsed: 0)
        )
        content.epoch = epoch
    }

    /// Cuts the last round short, or changes a byte of it.
    private func damage(_ path: String, _ range: Range<Int>, _ random: inout SeededNumbers) throws {
        var bytes = try Data(contentsOf: URL(filePath: path + ".rounds"))
        let index = Int(range.lowerBound) + random.below(Int(range.upperBound - range.lowerBound))
        if random.below(2) == 0 { bytes = bytes.prefix(index) } else { bytes[index] ^= UInt8(1 + random.below(255)) }
        try bytes.write(to: URL(filePath: path + ".rounds"))
    }

    @Test(
        "Every committed round survives a kill of the process; an incomplete one does not",
        arguments: UInt64(1)...8
    )
    func committedRoundsSurviveKill(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var content = Content()
        try withTemporaryFile { path in
            for _ in 0..<3 {
                try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
                    for number in 1...40 {
                        let before = (content: content, position: store.rounds.position)
                        try self.write(&content, number, store, &random)
                        switch random.below(8) {
                        // Something that is not for the rounds' file.
                        case 0: try store.set("name", to: "\(number)")
                        case 1: #expect(try store.firstBatch(partition: 1, since: .max) == nil)
                        case 2:
                            store.rollback()
                            content = before.content
                        default: break
                        }
                        try store.commit()
                        let range = min(before.position, store.rounds.position)..<store.rounds.position
                        if random.below(4) == 0 {
                            let killed = try self.copy(path, to: "killed")
                            #expect(try self.content(of: killed) == content)
                        }
                        if !range.isEmpty, random.below(4) == 0 {
                            let torn = try self.copy(path, to: "torn")
                            try self.damage(torn, range, &random)
                            #expect(try self.content(of: torn) == before.content)
                        }
                        if random.below(10) == 0 {
                            try store.settle()
                            try store.commit()
                        }
                    }
                }
                let ended = try self.copy(path, to: "ended")
                #expect(try self.content(of: ended) == content)
            }
        }
    }

    @Test("Rounds that SQLite already has, and rounds behind a missing one, are ignored")
    func ignoresStoredRoundsAndRoundsAfterGap() throws {
        var random = SeededNumbers(seed: 3)
        try withTemporaryFile { path in
            var content = Content()
            try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
                try self.write(&content, 1, store, &random)
                try store.commit()
                let early = (path: try self.copy(path, to: "early"), content: content)
                try store.settle()
                try store.commit()
                let taken = (path: try self.copy(path, to: "taken"), content: content)
                try self.write(&content, 2, store, &random)
                try store.commit()
                let late = (path: try self.copy(path, to: "late"), content: content)
                func exchange(_ rounds: String, _ file: String) throws {
                    try FileManager.default.removeItem(atPath: file + ".rounds")
                    try FileManager.default.copyItem(atPath: rounds + ".rounds", toPath: file + ".rounds")
                }
                // The machine has lost what SQLite wrote last: a round is missing, and the ones after it are dropped
                // too.
                try exchange(late.path, early.path)
                #expect(try self.content(of: early.path) == Content())
                // Rounds that SQLite has are still in the file.
                #expect(try self.content(of: taken.path) == taken.content)
                #expect(try self.content(of: late.path) == late.content)
            }
        }
    }

    @Test("Pending rounds are read like stored ones, by offset and by time")
    func readsPendingRoundsByOffsetAndTime() throws {
        try withTemporaryFile { path in
            try BrokerHarness.run(path: path, { $0.cacheBytesPerPartition = 0 }) { broker throws in
                try broker.create()
                for number in 0..<5 {
                    let records = RecordBatch.produced([.init(key: "\(number)")], baseTimestamp: 1_000 + Int64(number))
                    _ = try broker.produce(records)
                }
                #expect(broker.core.store.pendingOffset(of: 1) == 0)
                #expect(try broker.keys() == ["0", "1", "2", "3", "4"])
                #expect(broker.core.store.pendingOffset(of: 1) == nil)
                _ = try broker.produce(RecordBatch.produced([.init(key: "5")], baseTimestamp: 2_000))
                #expect(try broker.core.store.firstBatch(partition: 1, since: 2_000) == 5)
                #expect(try broker.core.store.latestBatch(partition: 1) == 5)
                _ = try broker.produce(RecordBatch.produced([.init(key: "6")], baseTimestamp: 2_000))
                #expect(try broker.keys() == ["0", "1", "2", "3", "4", "5", "6"])
            }
        }
    }

    @Test("A large backlog, or a single large round, is written to SQLite at once")
    func flushesLargeBacklogToSQLite() throws {
        try withTemporaryFile { path in
            try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
                var offset: Int64 = 0
                func append(_ bytes: Int) throws {
                    let value = String(repeating: "v", count: bytes)
                    let records = RecordBatch.produced([.init(key: "k", value: value)])
                    try store.append(RecordBatch(produced: records).placed(at: offset), partition: 1)
                    offset += 1
                    try store.commit()
                    try store.relieve()
                }
                for _ in 0..<20 { try append(50_000) }
                #expect(store.pendingOffset(of: 1) == 0)
                try append(50_000)
                #expect(store.pendingOffset(of: 1) == nil)
                try append(100)
                #expect(store.pendingOffset(of: 1) == 21)
                try append(100_000)
                #expect(store.pendingOffset(of: 1) == nil)
                #expect(try store.batches(partition: 1, from: 0, upTo: .max, maxBytes: .max).count == 23)
            }
        }
    }

    @Test("Earlier versions refuse a file that is in use or was left by a crash, and accept one that was closed")
    func earlierVersionsRefuseFileInUse() throws {
        try withTemporaryFile { path in
            func version(_ path: String) throws -> Int? {
                try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            }
            try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { _ in
                let killed = try version(self.copy(path, to: "killed"))
                #expect(killed == 2)
            }
            let closed = try version(path)
            #expect(closed == 1)
        }
    }
}
