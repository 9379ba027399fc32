internal import GRDB
package import IntentEvents
package import IntentRuntime
internal import SQLiteStore

extension RecordDatabase {
    /// How many rows one transaction examines or removes, so that recording never waits long.
    package static let pruningChunk = 1_000

    /// Removes records before a time: whole ranges of partitions from their beginnings, and the interactions of which
    /// nothing is left.
    ///
    /// The mark is written first, so it is valid even if the removal is interrupted, and the next call continues it.
    /// Recording continues meanwhile. The freed space is reused; the file does not shrink.
    /// - Parameters:
    ///   - before: The time, by the records' own.
    ///   - deployment: The deployment's id, for the mark.
    ///   - now: The time, for the mark.
    ///   - key: Signs the mark; nil leaves it unsigned.
    ///   - chunk: How many rows one transaction examines or removes.
    /// - Returns: The number of removed rows, by table.
    /// - Throws: `RecordingError`.
    package func prune(
        before: Timestamp,
        deployment: String,
        at now: Timestamp,
        signedBy key: SigningKey?,
        chunk: Int = RecordDatabase.pruningChunk
    ) async throws -> [String: Int] {
        let known = try await self.transaction { try CutMark.offsets(CutTable.all($0)) }
        let partitions = try await self.transaction { try RecordCuts.partitions($0) }
        var cuts: [RecordCuts.Partition: Int64] = [:]
        for partition in partitions {
            var offset = known[partition.name] ?? 0
            var isDone = false
            while !isDone {
                let start = offset
                (offset, isDone) = try await self.transaction {
                    try RecordCuts.advance(partition, from: start, before: before, limit: chunk, $0)
                }
            }
            cuts[partition] = offset
        }
        let moved = cuts.filter { $0.value > known[$0.key.name] ?? 0 }
        if !moved.isEmpty {
            let mark = CutMark(
                .records,
                of: deployment,
                at: now,
                before: before,
                offsets: Dictionary(moved.map { ($0.key.name, $0.value) }) { first, _ in first },
                signedBy: key
            )
            try await self.transaction { try CutTable.add(mark, $0) }
        }
        return try await self.remove(cuts, chunk)
    }

    /// Removes what another file's marks name, and adopts the marks: for a rebuilt file (R45).
    func prune(as marks: [CutMark]) async throws {
        guard !marks.isEmpty else { return }
        try await self.transaction { database in
            for mark in marks { try CutTable.add(mark, database) }
        }
        let offsets = CutMark.offsets(marks)
        let partitions = try await self.transaction { try RecordCuts.partitions($0) }
        var cuts: [RecordCuts.Partition: Int64] = [:]
        for partition in partitions { cuts[partition] = offsets[partition.name] }
        _ = try await self.remove(cuts, Self.pruningChunk)
    }

    private func remove(_ cuts: [RecordCuts.Partition: Int64], _ chunk: Int) async throws -> [String: Int] {
        var removed: [String: Int] = [:]
        for (partition, cut) in cuts.sorted(by: { $0.key.name < $1.key.name }) where cut > 0 {
            for table in partition.tables {
                var count = chunk
                while count == chunk {
                    count = try await self.transaction {
                        try RecordCuts.remove(from: table, partition, before: cut, limit: chunk, $0)
                    }
                    if count > 0 { removed[table, default: 0] += count }
                }
            }
        }
        // Last, since an interaction is kept as long as the other tables have rows of it.
        for (partition, cut) in cuts where partition.topic == Topic.requests.rawValue {
            var next: Int64? = 0
            while let start = next {
                let (count, following) = try await self.transaction {
                    try RecordCuts.removeInteractions(partition.partition, from: start, before: cut, limit: chunk, $0)
                }
                if count > 0 { removed["interactions", default: 0] += count }
                next = following
            }
        }
        return removed
    }
}
