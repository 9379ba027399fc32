import NIOCore

extension BrokerCore {
    /// Produce: appends what may be appended and answers for each partition by itself.
    mutating func produce(_ request: ProduceRequest, _ context: RequestContext, at now: BrokerTime) throws {
        var response = ProduceResponse()
        for topic in request.topics {
            var results = ProduceResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                var result: ProduceResponse.Topic.Partition
                if request.acks != 0, request.acks != 1, request.acks != -1 {
                    result = .init(errorCode: .invalidRequiredAcks, baseOffset: -1)
                } else {
                    let place = TopicPartition(topic: topic.name, partition: partition.index)
                    result = try self.append(partition.records, to: place, request, at: now)
                }
                result.index = partition.index
                results.partitions.append(result)
            }
            response.responses.append(results)
        }
        if request.acks == 0 {
            self.outbox.append((context.token, nil))
        } else {
            self.reply(context.token, response)
        }
    }

    private mutating func append(
        _ records: ByteBuffer?,
        to place: TopicPartition,
        _ request: ProduceRequest,
        at now: BrokerTime
    ) throws -> ProduceResponse.Topic.Partition {
        func refuse(_ code: ErrorCode, _ message: String? = nil) -> ProduceResponse.Topic.Partition {
            ProduceResponse.Topic.Partition(errorCode: code, baseOffset: -1, errorMessage: message)
        }
        if self.topics[place.topic] == nil, self.configuration.autoCreateTopics {
            try self.autoCreate(place.topic, at: now)
        }
        guard let topic = self.topics[place.topic], topic.partitions[safely: place.partition] != nil else {
            return refuse(.unknownTopicOrPartition)
        }
        guard let records, records.readableBytes > 0 else { return refuse(.corruptMessage) }
        guard records.readableBytes <= topic.configuration.maxMessageBytes else { return refuse(.messageTooLarge) }
        do {
            let batch = try RecordBatch(produced: records, bounds: RecordBounds(topic.configuration))
            if topic.configuration.isCompacting, batch.hasNullKey {
                return refuse(.invalidRecord, "Compacted topic cannot accept message without key.")
            }
            if let code = self.transactionRefusal(of: batch.header, place, request) { return refuse(code) }
            return try self.append(batch, to: place, at: now)
        } catch let error as RecordBatchError {
            return refuse(error.code)
        } catch let refusal as AppendRefusal {
            return refuse(refusal.code)
        }
    }

    private mutating func append(
        _ batch: RecordBatch,
        to place: TopicPartition,
        at now: BrokerTime
    ) throws -> ProduceResponse.Topic.Partition {
        let index = Int(place.partition)
        let producers = self.topics[place.topic]?.partitions[index].producers.count ?? 0
        guard let outcome = try self.topics[place.topic]?.partitions[index].append(batch, at: now),
            let log = self.topics[place.topic]?.partitions[index]
        else { return .init(errorCode: .unknownTopicOrPartition, baseOffset: -1) }
        self.producersAdded += log.producers.count - producers
        if self.producersAdded > self.configuration.limits.producers / 10 { try self.forgetOldestProducers() }
        switch outcome {
        case .duplicate(let earlier):
            return .init(baseOffset: earlier.baseOffset, logStartOffset: log.startOffset)
        case .new(let placed):
            try self.store(placed, in: place)
            return .init(baseOffset: placed.header.baseOffset, logStartOffset: log.startOffset)
        }
    }

    /// Writes a batch that has its place, and remembers to wake who waits for it.
    mutating func store(_ batch: RecordBatch, in place: TopicPartition) throws {
        let index = Int(place.partition)
        guard let id = self.topics[place.topic]?.partitions[index].id else { return }
        try self.store.save(batch, partition: id)
        self.topics[place.topic]?.partitions[index].cache
            .append(batch, limit: self.configuration.cacheBytesPerPartition)
        self.touchedPartitions.insert(place)
    }

    /// Whether a batch of a transactional producer does not belong here; nil is that it does.
    private func transactionRefusal(
        of header: RecordBatchHeader,
        _ place: TopicPartition,
        _ request: ProduceRequest
    ) -> ErrorCode? {
        guard let name = self.transactionalIDs[header.producerID], let producer = self.transactions[name] else {
            return header.isTransactional ? .invalidProducerIDMapping : nil
        }
        if header.producerEpoch != producer.epoch { return .invalidProducerEpoch }
        guard header.isTransactional else { return nil }
        return producer.open?.partitions.contains(place) == true ? nil : .invalidTransactionState
    }
}
