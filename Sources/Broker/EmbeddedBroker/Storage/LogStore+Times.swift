import GRDB

/// Finds batches by time, without an index entry for each of them.
///
/// 4,096 offsets of a partition are a *chunk*. `batch_times` has the latest time of each chunk, and the batches in a
/// chunk are searched. The chunk that a partition appends to, its *tail*, is kept in memory. Rows can be missing,
/// because a broker did not get to write them or an earlier version never writes them; they are added when the
/// partition is first searched. The time of a chunk still covers dropped and compacted batches: it may be too late,
/// never too early.
extension LogStore {
    /// The chunk that a partition appends to.
    struct Tail {
        var chunk: Int64
        /// The latest time in the chunk.
        var maxTimestamp: Int64
    }

    /// Records a batch's time.
    func record(_ timestamp: Int64, at key: Int64, partition: Int64) throws {
        let chunk = key >> BatchKey.chunkBits
        guard let tail = try self.tail(of: partition) else {
            self.tails[partition] = Tail(chunk: chunk, maxTimestamp: timestamp)
            return
        }
        if chunk == tail.chunk {
            self.tails[partition]?.maxTimestamp = max(timestamp, tail.maxTimestamp)
        } else if chunk > tail.chunk {
            try self.save(tail)
            self.tails[partition] = Tail(chunk: chunk, maxTimestamp: timestamp)
        }
        // A chunk before the tail is only rewritten by compaction, which makes no record's time later.
    }

    /// The base offset of the first batch that has a record of this time or later; nil when there is none.
    func firstBatch(partition: Int64, since timestamp: Int64) throws -> Int64? {
        try self.settle()
        guard let tail = try self.tail(of: partition) else { return nil }
        let before = try self.db.cachedStatement(
            sql: """
                SELECT key FROM batch_times CROSS JOIN batches
                ON key >= chunk << \(BatchKey.chunkBits) AND key < (chunk + 1) << \(BatchKey.chunkBits)
                WHERE chunk >= ? AND chunk < ? AND batch_times.max_timestamp >= ? AND batches.max_timestamp >= ?
                ORDER BY chunk, key LIMIT 1
                """
        )
        let chunks = BatchKey.chunks(of: partition)
        let arguments: StatementArguments = [chunks.lowerBound, tail.chunk, timestamp, timestamp]
        if let key = try Int64.fetchOne(before, arguments: arguments) { return BatchKey.offset(of: key) }
        guard tail.maxTimestamp >= timestamp else { return nil }
        let within = try self.db.cachedStatement(
            sql: "SELECT key FROM batches WHERE key >= ? AND key < ? AND max_timestamp >= ? ORDER BY key LIMIT 1"
        )
        let (first, end) = Self.keys(of: tail.chunk)
        return try Int64.fetchOne(within, arguments: [first, end, timestamp]).map(BatchKey.offset(of:))
    }

    /// The base offset of the batch with the latest time, the first of several; nil when there is none.
    func latestBatch(partition: Int64) throws -> Int64? {
        try self.settle()
        guard let tail = try self.tail(of: partition) else { return nil }
        let latest = try self.db.cachedStatement(
            sql: """
                SELECT max_timestamp, key FROM batches WHERE key >= ? AND key < ?
                ORDER BY max_timestamp DESC, key LIMIT 1
                """
        )
        func latestBatch(in chunk: Int64) throws -> (timestamp: Int64, key: Int64)? {
            let (first, end) = Self.keys(of: chunk)
            return try Row.fetchOne(latest, arguments: [first, end]).map { ($0[0], $0[1]) }
        }
        var best = try latestBatch(in: tail.chunk)
        let chunks = try Row.fetchCursor(
            self.db.cachedStatement(
                sql: """
                    SELECT max_timestamp, chunk FROM batch_times WHERE chunk >= ? AND chunk < ?
                    ORDER BY max_timestamp DESC, chunk
                    """
            ),
            arguments: [BatchKey.chunks(of: partition).lowerBound, tail.chunk]
        )
        while let row = try chunks.next(), best.map({ (row[0] as Int64) >= $0.timestamp }) ?? true {
            guard let found = try latestBatch(in: row[1]) else { continue }
            if let known = best, (known.timestamp, -known.key) >= (found.timestamp, -found.key) { continue }
            best = found
        }
        return best.map { BatchKey.offset(of: $0.key) }
    }

    /// Forgets the chunks before the first remaining batch.
    func dropTimes(partition: Int64) throws {
        let first = BatchKey.make(partition: partition, offset: 0)
        let last = BatchKey.make(partition: partition, offset: BatchKey.maxOffset)
        try self.execute(
            """
            DELETE FROM batch_times WHERE chunk >= ? AND chunk < coalesce(
                (SELECT min(key) >> \(BatchKey.chunkBits) FROM batches WHERE key >= ? AND key <= ?), ?)
            """,
            [first >> BatchKey.chunkBits, first, last, last >> BatchKey.chunkBits]
        )
    }

    /// The last chunk of a partition; nil when it has no batches.
    ///
    /// The first call searches the batches from the last row on and adds the missing rows.
    private func tail(of partition: Int64) throws -> Tail? {
        if let tail = self.tails[partition] { return tail }
        let chunks = BatchKey.chunks(of: partition)
        let last = try self.db.cachedStatement(sql: "SELECT max(chunk) FROM batch_times WHERE chunk >= ? AND chunk < ?")
        let known = try Int64.fetchOne(last, arguments: [chunks.lowerBound, chunks.upperBound]) ?? chunks.lowerBound
        let found = try self.db.cachedStatement(
            sql: """
                SELECT key >> \(BatchKey.chunkBits), max(max_timestamp) FROM batches WHERE key >= ? AND key <= ?
                GROUP BY 1 ORDER BY 1
                """
        )
        let end = BatchKey.make(partition: partition, offset: BatchKey.maxOffset)
        let rows = try Row.fetchAll(found, arguments: [Self.keys(of: known).first, end])
        for row in rows.dropLast() { try self.save(Tail(chunk: row[0], maxTimestamp: row[1])) }
        let tail = rows.last.map { Tail(chunk: $0[0], maxTimestamp: $0[1]) }
        self.tails[partition] = tail
        return tail
    }

    private func save(_ tail: Tail) throws {
        try self.execute(
            "INSERT OR REPLACE INTO batch_times (chunk, max_timestamp) VALUES (?, ?)",
            [tail.chunk, tail.maxTimestamp]
        )
    }

    /// The keys of a chunk's batches, and the first key after them.
    private static func keys(of chunk: Int64) -> (first: Int64, end: Int64) {
        (chunk << BatchKey.chunkBits, (chunk + 1) << BatchKey.chunkBits)
    }
}
