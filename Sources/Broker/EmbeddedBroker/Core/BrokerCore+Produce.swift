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
                    let target = TopicPartition(topic: topic.name, partition: partition.index)
                    result = try self.append(partition.records, to: target, at: now)
                }
                result.index = partition.index
                results.partitions.append(result)
            }
            response.responses.append(results)
        }
        if request.acks == 0 {
            self.outbox.skip(context.token)
        } else {
            self.outbox.reply(context.token, response)
        }
    }

    private mutating func append(
        _ records: ByteBuffer?,
        to partition: TopicPartition,
        at now: BrokerTime
    ) throws -> ProduceResponse.Topic.Partition {
        func refuse(_ code: ErrorCode, _ message: String? = nil) -> ProduceResponse.Topic.Partition {
            ProduceResponse.Topic.Partition(errorCode: code, baseOffset: -1, errorMessage: message)
        }
        if self.topics[partition.topic] == nil, self.configuration.autoCreateTopics {
            try self.topics.autoCreate(partition.topic, &self.notices, at: now)
        }
        guard let settings = self.topics.configuration(of: partition) else {
            return refuse(.unknownTopicOrPartition)
        }
        guard let records, records.readableBytes > 0 else { return refuse(.corruptMessage) }
        guard records.readableBytes <= settings.maxMessageBytes else { return refuse(.messageTooLarge) }
        do {
            let batch = try RecordBatch(produced: records, bounds: RecordBounds(settings))
            if settings.isCompacting, batch.hasNullKey {
                return refuse(.invalidRecord, "Compacted topic cannot accept message without key.")
            }
            if let code = self.transactions.refusal(of: batch.header, to: partition) { return refuse(code) }
            return try self.topics.append(batch, to: partition, at: now)
        } catch let error as RecordBatchError {
            return refuse(error.code)
        } catch let refusal as AppendRefusal {
            return refuse(refusal.code)
        }
    }
}
