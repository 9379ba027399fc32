import NIOCore

extension BrokerCore {
    /// Produce: appends the batches that may be appended, and answers for each partition separately.
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
        guard let settings = self.configuration(of: place) else { return refuse(.unknownTopicOrPartition) }
        guard let records, records.readableBytes > 0 else { return refuse(.corruptMessage) }
        guard records.readableBytes <= settings.maxMessageBytes else { return refuse(.messageTooLarge) }
        do {
            let batch = try RecordBatch(produced: records, bounds: RecordBounds(settings))
            if settings.isCompacting, batch.hasNullKey {
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
        let store = self.store
        let cacheBytes = self.configuration.cacheBytesPerPartition
        var isNew = false
        var producers = 0
        let result = try self.withLog(place) { log in
            producers = log.producers.count
            defer { producers = log.producers.count - producers }
            switch try log.append(batch, at: now) {
            case .duplicate(let earlier):
                return ProduceResponse.Topic.Partition(
                    baseOffset: earlier.baseOffset,
                    logStartOffset: log.startOffset
                )
            case .new(let placed):
                try store.append(placed, partition: log.id)
                log.cache.append(placed, limit: cacheBytes)
                isNew = true
                return .init(baseOffset: placed.header.baseOffset, logStartOffset: log.startOffset)
            }
        }
        guard let result else { return .init(errorCode: .unknownTopicOrPartition, baseOffset: -1) }
        if isNew { self.touchedPartitions.insert(place) }
        self.producersAdded += producers
        if self.producersAdded > self.configuration.limits.producers / 10 { try self.forgetOldestProducers() }
        return result
    }

    /// The settings of a partition's topic; nil when the partition does not exist.
    func configuration(of place: TopicPartition) -> TopicConfiguration? {
        guard let found = self.topics.index(forKey: place.topic),
            self.topics.values[found].partitions.indices.contains(Int(place.partition))
        else { return nil }
        return self.topics.values[found].configuration
    }

    /// The error if a batch of a transactional producer does not belong here; nil if it does.
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
