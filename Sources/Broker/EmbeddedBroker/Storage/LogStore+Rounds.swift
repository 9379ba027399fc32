import GRDB
import NIOCore

/// The writes of every round, and how they reach SQLite.
extension LogStore {
    /// The number of bytes of batches that may be pending before they are written to SQLite.
    static let maxPendingBytes = 1 << 20

    /// Adds a batch to a partition, after the ones that it has.
    func append(_ batch: RecordBatch, partition: Int64) throws { try self.write(.batch(batch, partition: partition)) }

    func save(_ state: ProducerState, producer: Int64, partition: Int64) throws {
        try self.write(.producer(state, .init(partition: partition, producer: producer)))
    }

    func save(_ committed: CommittedOffset, group: Name, partition: TopicPartition) throws {
        try self.write(.offset(committed, .init(group: group, partition: partition)))
    }

    /// Stores a transactional id and its open transaction.
    func save(_ producer: TransactionalProducer) throws {
        try self.write(.transaction(TransactionSnapshot.bytes(of: producer), producer.transactionalID))
    }

    func save(_ aborted: AbortedTransaction, partition: Int64) throws {
        try self.write(.aborted(aborted, partition: partition))
    }

    /// Writes to SQLite one pending write or, once the round is an SQLite transaction, one write of the round.
    func execute(_ write: PendingWrites.Write) throws {
        switch write {
        case .batch(let batch, let partition): try self.insert(batch, partition: partition)
        case .producer(let state, let row):
            self.saveProducer.bind(row.partition)
            self.saveProducer.bind(row.producer)
            self.saveProducer.bind(Int64(state.epoch))
            self.saveProducer.bind(state.openSince)
            self.saveProducer.bind(state.lastUsed)
            try self.saveProducer.run(with: state.storedBatches)
        case .offset(let committed, let row):
            self.saveOffset.bind(row.group.text)
            self.saveOffset.bind(row.partition.topic.text)
            self.saveOffset.bind(Int64(row.partition.partition))
            self.saveOffset.bind(committed.offset)
            self.saveOffset.bind(Int64(committed.leaderEpoch))
            self.saveOffset.bind(committed.metadata)
            self.saveOffset.bind(committed.committedAt)
            try self.saveOffset.run()
        case .transaction(let bytes, let name):
            self.saveTransaction.bind(name.text)
            try self.saveTransaction.run(with: bytes)
        case .aborted(let transaction, let partition):
            try self.db
                .cachedStatement(
                    sql: "INSERT INTO aborted (partition, last_offset, producer, first_offset) VALUES (?, ?, ?, ?)"
                )
                .execute(arguments: [
                    partition, transaction.lastOffset, transaction.producerID, transaction.firstOffset,
                ])
        }
    }

    /// Writes all pending writes to SQLite; row by row in the order of the tables, so that each page is looked up once.
    func execute(_ pending: PendingWrites) throws {
        let batches = pending.batches.sorted {
            ($0.partition, $0.batch.header.baseOffset) < ($1.partition, $1.batch.header.baseOffset)
        }
        for (partition, batch) in batches { try self.insert(batch, partition: partition) }
        for (row, state) in pending.producers { try self.execute(.producer(state, row)) }
        for (row, committed) in pending.offsets { try self.execute(.offset(committed, row)) }
        for (name, bytes) in pending.transactions { try self.execute(.transaction(bytes, name)) }
        for (partition, transaction) in pending.aborted {
            try self.execute(.aborted(transaction, partition: partition))
        }
    }

    private func insert(_ batch: RecordBatch, partition: Int64) throws {
        let key = BatchKey.make(partition: partition, offset: batch.header.baseOffset)
        try self.record(batch.header.maxTimestamp, at: key, partition: partition)
        self.saveBatch.bind(key)
        self.saveBatch.bind(partition)
        self.saveBatch.bind(batch.header.lastOffset)
        self.saveBatch.bind(batch.header.maxTimestamp)
        try self.saveBatch.run(with: batch.bytes)
    }
}
