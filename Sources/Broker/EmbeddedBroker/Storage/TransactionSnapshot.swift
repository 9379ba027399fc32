import NIOCore

/// The form in which a transactional id and its open transaction are kept in one SQLite value.
enum TransactionSnapshot {
    private static let format: Int8 = 1

    /// The value to store.
    static func bytes(of producer: TransactionalProducer) -> ByteBuffer {
        var writer = WireWriter(ByteBuffer(), isFlexible: true)
        writer.write(self.format)
        writer.write(producer.producerID)
        writer.write(producer.epoch)
        writer.write(producer.timeoutMs)
        writer.write(producer.lastUsed)
        switch producer.phase {
        case .idle(let last):
            writer.write(Int8(0))
            writer.write(last?.rawValue ?? -1)
        case .open(let transaction):
            writer.write(Int8(1))
            writer.write(Int32(transaction.partitions.count))
            for partition in transaction.partitions {
                writer.write(partition.topic)
                writer.write(partition.partition)
            }
            writer.write(Int32(transaction.offsets.count))
            for (group, offsets) in transaction.offsets {
                writer.write(group)
                writer.write(Int32(offsets.count))
                for (partition, committed) in offsets {
                    writer.write(partition.topic)
                    writer.write(partition.partition)
                    writer.write(committed.offset)
                    writer.write(committed.leaderEpoch)
                    writer.write(committed.metadata)
                    writer.write(committed.committedAt)
                }
            }
        }
        return writer.buffer
    }

    /// The stored producer; an open transaction gets its whole time-out again.
    static func producer(
        transactionalID: Name,
        from bytes: ByteBuffer,
        at now: BrokerTime
    ) throws(WireError) -> TransactionalProducer {
        var reader = WireReader(bytes, isFlexible: true)
        guard try reader.int8() == self.format else { throw .invalidLength }
        let producerID = try reader.int64()
        let epoch = try reader.int16()
        let timeoutMs = try reader.int32()
        let lastUsed = try reader.int64()
        let phase: TransactionalProducer.Phase
        if try reader.int8() == 0 {
            phase = .idle(last: ControlMarker(rawValue: try reader.int16()))
        } else {
            phase = .open(try self.transaction(from: &reader, deadline: now.monotonic + Int64(timeoutMs)))
        }
        return TransactionalProducer(
            transactionalID: transactionalID,
            producerID: producerID,
            epoch: epoch,
            timeoutMs: timeoutMs,
            phase: phase,
            lastUsed: lastUsed
        )
    }

    private static func transaction(
        from reader: inout WireReader,
        deadline: Int64
    ) throws(WireError) -> OpenTransaction {
        var transaction = OpenTransaction(deadline: deadline)
        for _ in 0..<(try reader.int32()) {
            transaction.partitions.insert(
                TopicPartition(topic: try reader.string(), partition: try reader.int32())
            )
        }
        for _ in 0..<(try reader.int32()) {
            let group: Name = try reader.string()
            var offsets: [TopicPartition: CommittedOffset] = [:]
            for _ in 0..<(try reader.int32()) {
                let partition = TopicPartition(topic: try reader.string(), partition: try reader.int32())
                offsets[partition] = CommittedOffset(
                    offset: try reader.int64(),
                    leaderEpoch: try reader.int32(),
                    metadata: try reader.nullableString(),
                    committedAt: try reader.int64()
                )
            }
            transaction.offsets[group] = offsets
        }
        return transaction
    }
}
