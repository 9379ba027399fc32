extension Topics {
    /// ListOffsets: earliest (-2), latest (-1), of the latest time (-3), or the first at or after a time.
    func listOffsets(_ request: ListOffsetsRequest, _ context: RequestContext) throws -> ListOffsetsResponse {
        var response = ListOffsetsResponse()
        for topic in request.topics {
            var results = ListOffsetsResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                var result = ListOffsetsResponse.Topic.Partition(partitionIndex: partition.partitionIndex)
                if let log = self[topic.name]?.partitions[safely: partition.partitionIndex] {
                    let end = request.isolationLevel == 1 ? log.lastStableOffset : log.endOffset
                    let found = try self.offset(at: partition.timestamp, in: log, end: end)
                    result.offset = found?.offset ?? -1
                    result.timestamp = found?.timestamp ?? -1
                    result.leaderEpoch = found == nil ? -1 : 0
                    if context.version == 0 { result.oldStyleOffsets = found.map { [$0.offset] } ?? [] }
                } else {
                    result.errorCode = .unknownTopicOrPartition
                }
                results.partitions.append(result)
            }
            response.topics.append(results)
        }
        return response
    }

    private func offset(
        at timestamp: Int64,
        in log: PartitionLog,
        end: Int64
    ) throws -> (offset: Int64, timestamp: Int64)? {
        switch timestamp {
        case -1: return (end, -1)
        case -2: return (log.startOffset, -1)
        case -3:
            guard let base = try self.store.latestBatch(partition: log.id), base < end,
                let batch = try self.store.batches(partition: log.id, from: base, upTo: end, maxBytes: 0).first
            else { return nil }
            return self.offset(at: batch.header.maxTimestamp, in: batch, from: log.startOffset)
        default:
            guard timestamp >= 0, var base = try self.store.firstBatch(partition: log.id, since: timestamp) else {
                return nil
            }
            // If a batch begins before the start of the log, its record that is late enough may lie before it, too.
            while base < end {
                let batches = try self.store.batches(partition: log.id, from: base, upTo: end, maxBytes: 0)
                guard let batch = batches.first else { return nil }
                if let found = self.offset(at: timestamp, in: batch, from: log.startOffset) { return found }
                base = batch.header.lastOffset + 1
            }
            return nil
        }
    }

    /// The first record of a batch at or after a time; for a batch that cannot be decoded, its first record.
    private func offset(
        at timestamp: Int64,
        in batch: RecordBatch,
        from start: Int64
    ) -> (offset: Int64, timestamp: Int64)? {
        guard batch.header.maxTimestamp >= timestamp else { return nil }
        guard let records = Record.records(in: batch) else {
            return (max(start, batch.header.baseOffset), batch.header.maxTimestamp)
        }
        return records.first { $0.timestamp >= timestamp && $0.offset >= start }.map { ($0.offset, $0.timestamp) }
    }

    /// OffsetForLeaderEpoch: the only epoch is 0 (KIP-320).
    func offsetForLeaderEpoch(_ request: OffsetForLeaderEpochRequest) -> OffsetForLeaderEpochResponse {
        OffsetForLeaderEpochResponse(
            topics: request.topics.map { topic in
                .init(
                    topic: topic.topic,
                    partitions: topic.partitions.map { partition in
                        guard let log = self[topic.topic]?.partitions[safely: partition.partition] else {
                            return .init(errorCode: .unknownTopicOrPartition, partition: partition.partition)
                        }
                        let isKnown = partition.leaderEpoch == 0
                        return .init(
                            partition: partition.partition,
                            leaderEpoch: isKnown ? 0 : -1,
                            endOffset: isKnown ? log.endOffset : -1
                        )
                    }
                )
            }
        )
    }

    /// DeleteRecords: moves the start of the log; -1 means the end of the log.
    mutating func deleteRecords(_ request: DeleteRecordsRequest) throws -> DeleteRecordsResponse {
        var response = DeleteRecordsResponse()
        for topic in request.topics {
            var results = DeleteRecordsResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                var result = DeleteRecordsResponse.Topic.Partition(partitionIndex: partition.partitionIndex)
                result.lowWatermark = -1
                if !self.configuration.allowsDeletion {
                    result.errorCode = .policyViolation
                } else if let log = self[topic.name]?.partitions[safely: partition.partitionIndex] {
                    let offset = partition.offset == -1 ? log.endOffset : partition.offset
                    if offset < 0 || offset > log.endOffset {
                        result.errorCode = .offsetOutOfRange
                    } else {
                        let moved = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                        try self.moveStart(of: moved, to: min(offset, log.lastStableOffset))
                        result.lowWatermark = self[moved]?.startOffset ?? -1
                    }
                } else {
                    result.errorCode = .unknownTopicOrPartition
                }
                results.partitions.append(result)
            }
            response.topics.append(results)
        }
        return response
    }
}
