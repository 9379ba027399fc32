import Foundation
import GRDB
import NIOCore

extension LogStore {
    /// Replaces the batch with the same base offset.
    func save(_ batch: RecordBatch, partition: Int64) throws {
        try self.beginWriting()
        try self.execute(.batch(batch, partition: partition))
    }

    /// The batches starting with the one that contains the offset (or the next one), below the limit.
    ///
    /// At least one batch is returned if there is one, whatever its size.
    func batches(partition: Int64, from offset: Int64, upTo limit: Int64, maxBytes: Int) throws -> [RecordBatch] {
        if let waiting = self.pendingOffset(of: partition), waiting < limit {
            if offset < waiting {
                let found = try self.stored(partition: partition, from: offset, upTo: waiting, maxBytes: maxBytes)
                if let last = found.last, last.header.lastOffset + 1 < waiting { return found }
            }
            // The requested batches continue among the pending ones.
            try self.settle()
        }
        return try self.stored(partition: partition, from: offset, upTo: limit, maxBytes: maxBytes)
    }

    private func stored(
        partition: Int64,
        from offset: Int64,
        upTo limit: Int64,
        maxBytes: Int
    ) throws -> [RecordBatch] {
        let first = BatchKey.make(partition: partition, offset: 0)
        let at = BatchKey.make(partition: partition, offset: offset)
        let before = try self.db.cachedStatement(
            sql: "SELECT key, last_offset FROM batches WHERE key <= ? AND key >= ? ORDER BY key DESC LIMIT 1"
        )
        var start = at
        if let row = try Row.fetchOne(before, arguments: [at, first]), (row[1] as Int64) >= offset { start = row[0] }
        let statement = try self.db.cachedStatement(
            sql: "SELECT bytes FROM batches WHERE key >= ? AND key < ? ORDER BY key"
        )
        let rows = try Row.fetchCursor(
            statement,
            arguments: [start, BatchKey.make(partition: partition, offset: limit)]
        )
        var found: [RecordBatch] = []
        var size = 0
        while let row = try rows.next() {
            let bytes = try row.withUnsafeData(atIndex: 0) { ByteBuffer(bytes: $0 ?? Data()) }
            guard found.isEmpty || size + bytes.readableBytes <= maxBytes else { break }
            guard let batch = RecordBatch(stored: bytes) else {
                throw BrokerError(code: .storage, message: "partition \(partition) holds a broken batch")
            }
            found.append(batch)
            size += batch.size
            if size >= maxBytes { break }
        }
        return found
    }

    /// The end of a partition's first batches that together hold this many bytes, at least one batch; not above the
    /// limit.
    func end(ofBytes bytes: Int, partition: Int64, upTo limit: Int64) throws -> Int64 {
        let statement = try self.db.cachedStatement(
            sql: "SELECT last_offset, length(bytes) FROM batches WHERE key >= ? AND key < ? ORDER BY key"
        )
        let rows = try Row.fetchCursor(
            statement,
            arguments: [
                BatchKey.make(partition: partition, offset: 0), BatchKey.make(partition: partition, offset: limit),
            ]
        )
        var size = 0
        while let row = try rows.next() {
            size += row[1]
            if size >= bytes { return min(row[0] + 1, limit) }
        }
        return limit
    }

    /// Drops the batches whose records are all below the offset.
    func dropBatches(partition: Int64, below offset: Int64) throws {
        try self.execute(
            "DELETE FROM batches WHERE key >= ? AND key < ? AND last_offset < ?",
            [
                BatchKey.make(partition: partition, offset: 0), BatchKey.make(partition: partition, offset: offset),
                offset,
            ]
        )
        try self.dropTimes(partition: partition)
        try self.execute("DELETE FROM aborted WHERE partition = ? AND last_offset < ?", [partition, offset])
    }

    func dropBatch(partition: Int64, baseOffset: Int64) throws {
        try self.execute(
            "DELETE FROM batches WHERE key = ?",
            [BatchKey.make(partition: partition, offset: baseOffset)]
        )
    }

    func drop(_ aborted: AbortedTransaction, partition: Int64) throws {
        try self.execute(
            "DELETE FROM aborted WHERE partition = ? AND last_offset = ?",
            [partition, aborted.lastOffset]
        )
    }
}
