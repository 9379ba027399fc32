internal import IntentEvents
import IntentRuntime

extension LogState {
    /// Writes as a client does; returns the offsets and the clients to wake.
    mutating func send(
        _ records: [OutgoingRecord],
        now: Int64
    ) throws(LogError) -> (offsets: [Int64], wake: Set<ClientID>) {
        try self.checkOpen()
        let fault = self.popFault { fault in
            if case .send(let error) = fault { error } else { nil }
        }
        if let fault { throw fault }
        try self.check(records)
        return (self.append(records, now: now), self.clients(of: Set(records.map(\.topicPartition))))
    }

    /// Checks that all records can be written.
    /// - Throws: ``LogError``, `unknownTopic` or `recordTooLarge`.
    func check(_ records: [OutgoingRecord]) throws(LogError) {
        for record in records {
            let limit = try self.topic(of: record.topicPartition).maximumRecordSize
            // In Kafka's format no part takes more than twice the bytes that it takes here, so most records need not be
            // measured.
            if record.content.withBytes({ 2 * $0.count + 128 }) <= limit { continue }
            let size = record.batchSize
            guard size <= limit else {
                throw LogError(
                    .recordTooLarge,
                    "a record of \(size) bytes exceeds the limit of \(record.topicPartition), \(limit) bytes"
                )
            }
        }
    }

    /// Writes records that were checked.
    mutating func append(_ records: [OutgoingRecord], now: Int64) -> [Int64] {
        records.map { record in
            let topicPartition = record.topicPartition
            // Accessed by index: optional chaining through a dictionary allocates memory for each access.
            guard let index = self.topics.index(forKey: topicPartition.topic) else { return -1 }
            return self.topics.values[index].partitions[topicPartition.partition].append(record, now: now)
        }
    }

    /// Writes records of a client's transaction that stays open; returns its number.
    mutating func beginTransaction(_ records: [OutgoingRecord], now: Int64) throws(LogError) -> Int {
        try self.checkOpen()
        try self.check(records)
        let transaction = self.makeTransaction()
        for record in records {
            let topicPartition = record.topicPartition
            _ = self.topics[topicPartition.topic]?.partitions[topicPartition.partition]
                .append(record, now: now, transaction: transaction)
        }
        return transaction
    }

    /// Ends a client's transaction; returns the clients to wake.
    mutating func endTransaction(_ transaction: Int, isCommitted: Bool) -> Set<ClientID> {
        var topicPartitions: Set<TopicPartition> = []
        for topic in self.topics.keys {
            for index in self.topics[topic]?.partitions.indices ?? 0..<0
            where self.topics[topic]?.partitions[index].end(transaction, isCommitted: isCommitted) ?? false {
                if self.marksTransactions { self.topics[topic]?.partitions[index].skip(1) }
                topicPartitions.insert(TopicPartition(topic, index))
            }
        }
        return self.clients(of: topicPartitions)
    }

    /// Skips offsets as transactions do: one for a marker in each partition, and those of the records if they are
    /// aborted.
    mutating func mark(_ records: [OutgoingRecord], aborted: Bool) {
        guard self.marksTransactions else { return }
        for (topicPartition, records) in Dictionary(grouping: records, by: \.topicPartition) {
            self.topics[topicPartition.topic]?.partitions[topicPartition.partition]
                .skip(aborted ? records.count + 1 : 1)
        }
    }

    /// Lanes and readers of these partitions.
    func clients(of partitions: Set<TopicPartition>) -> Set<ClientID> {
        var found: Set<ClientID> = []
        for group in self.groups.values {
            for (id, member) in group.members where !partitions.isDisjoint(with: member.positions.keys) {
                found.insert(id)
            }
        }
        for (id, positions) in self.readers where !partitions.isDisjoint(with: positions.keys) {
            found.insert(id)
        }
        return found
    }
}
