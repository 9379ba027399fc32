import NIOCore

/// What rounds have written and SQLite does not have yet, each row in its latest state.
struct PendingWrites {
    /// The batches, with their partitions' rows; those of a partition are in the order of its log.
    private(set) var batches: [(partition: Int64, batch: RecordBatch)] = []
    /// The partitions' states of producers.
    private(set) var producers: [ProducerRow: ProducerState] = [:]
    private(set) var offsets: [OffsetRow: CommittedOffset] = [:]
    /// Transactional ids, as they are stored.
    private(set) var transactions: [Name: ByteBuffer] = [:]
    /// Aborted transactions, with their partitions' rows.
    private(set) var aborted: [(partition: Int64, transaction: AbortedTransaction)] = []
    /// The offset at which the batches of each partition begin.
    private(set) var firstOffsets: [Int64: Int64] = [:]

    /// A row of `producers`.
    struct ProducerRow: Hashable {
        /// The partition's row.
        var partition: Int64
        var producer: Int64
    }

    /// A row of `group_offsets`.
    struct OffsetRow: Hashable {
        var group: Name
        var partition: TopicPartition
    }

    /// One write of a round.
    enum Write {
        /// A batch after the ones that the partition has.
        case batch(RecordBatch, partition: Int64)
        case producer(ProducerState, ProducerRow)
        case offset(CommittedOffset, OffsetRow)
        /// A transactional id, as it is stored.
        case transaction(ByteBuffer, Name)
        case aborted(AbortedTransaction, partition: Int64)
    }

    var isEmpty: Bool {
        self.batches.isEmpty && self.producers.isEmpty && self.offsets.isEmpty && self.transactions.isEmpty
            && self.aborted.isEmpty
    }

    mutating func add(_ write: Write) {
        switch write {
        case .batch(let batch, let partition):
            if self.firstOffsets[partition] == nil { self.firstOffsets[partition] = batch.header.baseOffset }
            self.batches.append((partition, batch))
        case .producer(let state, let row): self.producers[row] = state
        case .offset(let committed, let row): self.offsets[row] = committed
        case .transaction(let bytes, let name): self.transactions[name] = bytes
        case .aborted(let transaction, let partition): self.aborted.append((partition, transaction))
        }
    }
}

extension PendingWrites.Write {
    private enum Kind: Int8 {
        case batch = 1
        case producer = 2
        case offset = 3
        case transaction = 4
        case aborted = 5
    }

    /// Appends the write to a round.
    func write(to writer: inout WireWriter) {
        switch self {
        case .batch(let batch, let partition):
            writer.write(Kind.batch.rawValue)
            writer.write(partition)
            writer.write(batch.bytes)
        case .producer(let state, let row):
            writer.write(Kind.producer.rawValue)
            writer.write(row.partition)
            writer.write(row.producer)
            writer.write(state.epoch)
            writer.write(state.openSince ?? -1)
            writer.write(state.lastUsed)
            writer.write(state.storedBatches)
        case .offset(let committed, let row):
            writer.write(Kind.offset.rawValue)
            writer.write(row.group)
            writer.write(row.partition.topic)
            writer.write(row.partition.partition)
            writer.write(committed.offset)
            writer.write(committed.leaderEpoch)
            writer.write(committed.metadata)
            writer.write(committed.committedAt)
        case .transaction(let bytes, let name):
            writer.write(Kind.transaction.rawValue)
            writer.write(name)
            writer.write(bytes)
        case .aborted(let transaction, let partition):
            writer.write(Kind.aborted.rawValue)
            writer.write(partition)
            writer.write(transaction.producerID)
            writer.write(transaction.firstOffset)
            writer.write(transaction.lastOffset)
        }
    }

    /// Reads the next write of a round.
    init(from reader: inout WireReader) throws(WireError) {
        guard let kind = Kind(rawValue: try reader.int8()) else { throw .invalidLength }
        switch kind {
        case .batch:
            let partition = try reader.int64()
            guard let batch = RecordBatch(stored: ByteBuffer(buffer: try reader.bytes())) else { throw .invalidLength }
            self = .batch(batch, partition: partition)
        case .producer:
            let row = PendingWrites.ProducerRow(partition: try reader.int64(), producer: try reader.int64())
            var state = ProducerState(epoch: try reader.int16(), lastUsed: 0)
            let openSince = try reader.int64()
            state.openSince = openSince < 0 ? nil : openSince
            state.lastUsed = try reader.int64()
            try state.readBatches(from: try reader.bytes())
            self = .producer(state, row)
        case .offset:
            let group: Name = try reader.string()
            let partition = TopicPartition(topic: try reader.string(), partition: try reader.int32())
            self = .offset(
                CommittedOffset(
                    offset: try reader.int64(),
                    leaderEpoch: try reader.int32(),
                    metadata: try reader.nullableString(),
                    committedAt: try reader.int64()
                ),
                PendingWrites.OffsetRow(group: group, partition: partition)
            )
        case .transaction:
            let name: Name = try reader.string()
            self = .transaction(try reader.bytes(), name)
        case .aborted:
            let partition = try reader.int64()
            self = .aborted(
                AbortedTransaction(
                    producerID: try reader.int64(),
                    firstOffset: try reader.int64(),
                    lastOffset: try reader.int64()
                ),
                partition: partition
            )
        }
    }
}
