import Foundation
import GRDB
import InMemoryLog
import IntentAudit
import IntentEvents
import IntentLab
import IntentRecords
import IntentRuntime
import Testing

@Suite("R46: comparing records and topics after retention")
struct ComparedCutsTests {
    private static let journal = TopicPartition(Topic.journal.name(prefix: Traffic.prefix), 0)

    /// A log with that traffic, without gaps.
    private static func log(_ traffic: Traffic) async throws -> InMemoryLog {
        let log = InMemoryLog()
        _ = try await Deployment.create(TopicPlan(prefix: Traffic.prefix, partitions: 1), on: log)
        try await log.write(
            traffic.records.map {
                OutgoingRecord(topicPartition: $0.topicPartition, timestamp: $0.timestamp, content: $0.content)
            }
        )
        return log
    }

    @Test("What was cut in the same millisecond as what is left is found")
    func findsWhatWasCutInSameMillisecond() async throws {
        let traffic = Traffic(seed: 1, interactions: 600, partitions: 1, junk: false)
        let log = try await Self.log(traffic)
        let directory = try TemporaryDirectory()
        let path = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: path, from: log, prefix: Traffic.prefix)
        let journal = Self.journal
        let turns = traffic.partitions[journal] ?? []
        // The log has no gaps, so an index is an offset.
        let cuts = turns.indices.dropFirst()
            .filter { index in
                turns[index].timestamp == turns[index - 1].timestamp && TurnRecord(turns[index - 1])?.opened == true
            }
        #expect(!cuts.isEmpty)
        for cut in cuts {
            try log.trim(journal, to: Int64(cut))
            let found = try await RecordComparison.run(at: path, with: log, prefix: Traffic.prefix)
            #expect(found.differences.isEmpty, "\(cut): \(found.differences)")
        }
    }

    @Test("Wherever a topic begins, its rows are compared from there on, and none before; a note says so")
    func everyBeginning() async throws {
        let traffic = Traffic(seed: 2, interactions: 9, partitions: 1, junk: false)
        let log = try await Self.log(traffic)
        let directory = try TemporaryDirectory()
        let original = directory.file("records.sqlite")
        _ = try await RecordDatabase.rebuild(at: original, from: log, prefix: Traffic.prefix)
        func differences(_ sql: String) async throws -> [RecordDifference] {
            let copy = directory.file("copy-\(UUID().uuidString).sqlite")
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            let connection = try DatabaseQueue(path: copy)
            try await connection.write { try $0.execute(sql: sql) }
            try connection.close()
            return try await RecordComparison.run(at: copy, with: log, prefix: Traffic.prefix).differences
        }
        let end = try #require(try await log.offsets([Self.journal], at: .end)[Self.journal])
        let ahead = try await differences("UPDATE offsets SET next = next + 1 WHERE topic = 'journal'")
        let words = "The records end at offset \(end + 1), but the topic ends at \(end): "
        #expect(ahead.contains { $0.location == "offsets journal/0" && $0.detail.hasPrefix(words) }, "\(ahead)")
        for start in [0, 1, 2, end / 2, end - 1, end] {
            try log.trim(Self.journal, to: start)
            let found = try await RecordComparison.run(at: original, with: log, prefix: Traffic.prefix)
            #expect(found.differences.isEmpty, "\(start): \(found.differences)")
            let note = "Retention has removed \(Self.journal) up to offset \(start): older rows were not compared."
            #expect(found.notes == (start == 0 ? [] : [note]))
            let changed = try await differences(
                """
                UPDATE events_kept SET value = '~' || substr(value, 2)
                WHERE topic = 'journal' AND "offset" BETWEEN \(start - 1) AND \(start)
                """
            )
            #expect(changed.map(\.location) == (start == end ? [] : ["events journal/0/\(start)"]), "\(start)")
        }
    }
}
