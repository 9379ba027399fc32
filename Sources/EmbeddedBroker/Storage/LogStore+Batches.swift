import Foundation
import GRDB
import NIOCore

extension LogStore {
    /// Adds a batch to a partition, or replaces the one with the same base offset.
    func save(_ batch: RecordBatch, partition: Int64) throws {
        let bytes = batch.bytes.withUnsafeReadableBytes { Data($0) }
        try self.execute(
            "INSERT OR REPLACE INTO batches (key, partition, last_offset, max_timestamp, bytes) VALUES (?, ?, ?, ?, ?)",
            [
                BatchKey.make(partition: partition, offset: batch.header.baseOffset), partition,
                batch.header.lastOffset, batch.header.maxTimestamp, bytes,
            ]
        )
    }

    /// The batches from the one that holds the offset (or the next one) on, below the limit.
    ///
    /// At least one batch comes back if there is one, whatever its size.
    func batches(partition: Int64, from offset: Int64, upTo limit: Int64, maxBytes: Int) throws -> [RecordBatch] {
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

    /// The base offset of the first batch that has a record of this time or later; nil when there is none.
    func firstBatch(partition: Int64, since timestamp: Int64) throws -> Int64? {
        let statement = try self.db.cachedStatement(
            sql: "SELECT min(key) FROM batches WHERE partition = ? AND max_timestamp >= ?"
        )
        let key = try Int64.fetchOne(statement, arguments: [partition, timestamp])
        return key.map(BatchKey.offset(of:))
    }

    /// The base offset of the batch with the latest time; nil when there is none.
    func latestBatch(partition: Int64) throws -> Int64? {
        let statement = try self.db.cachedStatement(
            sql: "SELECT key FROM batches WHERE partition = ? ORDER BY max_timestamp DESC, key LIMIT 1"
        )
        return try Int64.fetchOne(statement, arguments: [partition]).map(BatchKey.offset(of:))
    }

    /// Drops the batches whose records all lie below the offset.
    func dropBatches(partition: Int64, below offset: Int64) throws {
        try self.execute(
            "DELETE FROM batches WHERE key >= ? AND key < ? AND last_offset < ?",
            [
                BatchKey.make(partition: partition, offset: 0), BatchKey.make(partition: partition, offset: offset),
                offset,
            ]
        )
        try self.execute("DELETE FROM aborted WHERE partition = ? AND last_offset < ?", [partition, offset])
    }

    /// Drops one batch.
    func dropBatch(partition: Int64, baseOffset: Int64) throws {
        try self.execute(
            "DELETE FROM batches WHERE key = ?",
            [BatchKey.make(partition: partition, offset: baseOffset)]
        )
    }

    /// Remembers an aborted stretch.
    func save(_ aborted: AbortedTransaction, partition: Int64) throws {
        try self.execute(
            "INSERT INTO aborted (partition, last_offset, producer, first_offset) VALUES (?, ?, ?, ?)",
            [partition, aborted.lastOffset, aborted.producerID, aborted.firstOffset]
        )
    }

    /// Forgets an aborted stretch.
    func drop(_ aborted: AbortedTransaction, partition: Int64) throws {
        try self.execute(
            "DELETE FROM aborted WHERE partition = ? AND last_offset = ?",
            [partition, aborted.lastOffset]
        )
    }
}
