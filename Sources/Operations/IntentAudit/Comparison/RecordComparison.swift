internal import Foundation
internal import IntentEvents
internal import IntentKit
internal import IntentRecords
package import IntentRuntime
package import SQLiteStore

/// Compares a record database with the topics, row for row (R46).
///
/// The tables are rebuilt from the topics in a temporary file, up to the offsets of the records, and then compared:
/// each row is a function of the topics alone. The recorder may write meanwhile.
package struct RecordComparison: Sendable {
    /// The maximum number of reported differences of a table.
    private static let limit = 200

    package private(set) var differences: [RecordDifference] = []
    /// What could not be compared, and why.
    package private(set) var notes: [String] = []
    /// What was removed from the records on purpose, and so not compared.
    package private(set) var cuts: [CutMark] = []
    /// The number of compared rows.
    package private(set) var rows = 0

    /// Compares the record database at a path.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - log: The topics.
    ///   - prefix: Their prefix.
    ///   - progress: Called with the number of further offsets of the topics that are passed.
    /// - Returns: The differences.
    /// - Throws: `StoreError`; `RecordingError`; ``LogError``.
    package static func run(
        at path: String,
        with log: any EventLog,
        prefix: String,
        progress: @Sendable (_ more: Int64) -> Void = { _ in }
    ) async throws -> RecordComparison {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "intentd-records-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let remade = directory + "/records.sqlite"
        let database = try await RecordDatabase.open(at: remade, prefix: prefix)
        do {
            let archive = try await ComparedArchive.open(path, attaching: remade)
            var comparison = RecordComparison()
            let recorded = try await archive.begin()
            let known = try await archive.prefix()
            if known != prefix {
                let words = known.map { "The records have the prefix \($0)" } ?? "The records have no prefix"
                comparison.add("store", "\(words), but the topics have \(prefix).")
            }
            let ends = try await comparison.ends(recorded, log, prefix)
            let earliest = try await log.offsets(Array(ends.keys), at: .earliest)
            _ = try await RecordRebuild(log: log, prefix: prefix)
                .run(into: database, upTo: ends) { more, _ in progress(more) }
            let cut = earliest.filter { $0.value > 0 }
            comparison.cuts = try await archive.cuts()
            try await comparison.compare(archive, cut, prefix)
            await database.close()
            return comparison
        } catch let error as StoreError where error.code == .damaged {
            // Bytes that belong to no row, but to the structure of the file.
            await database.close()
            var comparison = RecordComparison()
            comparison.add(path, error.message)
            return comparison
        } catch {
            await database.close()
            throw error
        }
    }

    /// The records' offsets, limited to the ends of the topics.
    private mutating func ends(
        _ recorded: [RecordedOffset],
        _ log: any EventLog,
        _ prefix: String
    ) async throws -> [TopicPartition: Int64] {
        var ends: [TopicPartition: Int64] = [:]
        let partitions = try await RecordRebuild(log: log, prefix: prefix).partitions()
        let known = Set(partitions)
        for offset in recorded {
            let partition = Topic(rawValue: offset.topic)
                .map { TopicPartition($0.name(prefix: prefix), offset.partition) }
            guard let partition, known.contains(partition) else {
                self.add("offsets \(offset.topic)/\(offset.partition)", "Unknown partition.")
                continue
            }
            ends[partition] = offset.next ?? 0
        }
        // A recorder has claimed every partition; one whose row is gone is determined from the remaining rows.
        for partition in recorded.isEmpty ? [] : partitions where ends[partition] == nil { ends[partition] = 0 }
        let last = try await log.offsets(Array(ends.keys), at: .end)
        for (partition, next) in ends.sorted(by: { $0.key < $1.key }) where next > last[partition] ?? 0 {
            let topic = Topic(name: partition.topic, prefix: prefix)?.rawValue ?? partition.topic.text
            self.add(
                "offsets \(topic)/\(partition.partition)",
                "The records end at offset \(next), but the topic ends at \(last[partition] ?? 0): the topic's last records "
                    + "were removed, or the database belongs to other topics."
            )
            ends[partition] = last[partition] ?? 0
        }
        return ends
    }

    private mutating func compare(
        _ archive: ComparedArchive,
        _ cut: [TopicPartition: Int64],
        _ prefix: String
    ) async throws {
        var starts: [String: Int64] = [:]
        for (partition, offset) in cut {
            let topic = Topic(name: partition.topic, prefix: prefix)?.rawValue ?? ""
            starts["\(topic)/\(partition.partition)"] = offset
            self.notes.append(
                "Retention has removed \(partition) up to offset \(offset): older rows were not compared."
            )
        }
        self.notes.sort()
        starts.merge(CutMark.offsets(self.cuts)) { max($0, $1) }
        for table in ComparedTable.all {
            let result = try await archive.compare(table, starts: starts, limit: Self.limit)
            self.rows += result.rows
            self.differences += result.differences
            if result.isTruncated { self.add(table.name, "More than \(Self.limit) rows differ; the rest is omitted.") }
        }
    }

    private mutating func add(_ location: String, _ detail: String) {
        self.differences.append(RecordDifference(location: location, detail: detail))
    }
}

/// A row of `offsets`.
struct RecordedOffset: Sendable {
    /// The topic, without prefix.
    var topic: String
    var partition: Int
    /// The next offset to record.
    var next: Int64?
}
