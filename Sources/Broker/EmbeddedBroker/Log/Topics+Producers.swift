extension Topics {
    /// DescribeProducers (KIP-664): the producers that have written to a partition, and where an open transaction
    /// begins.
    func describeProducers(_ request: DescribeProducersRequest) -> DescribeProducersResponse {
        var seen: Set<TopicPartition> = []
        return DescribeProducersResponse(
            topics: request.topics.map { topic in
                .init(
                    name: topic.name,
                    partitions: topic.partitionIndexes
                        .filter { seen.insert(TopicPartition(topic: topic.name, partition: $0)).inserted }
                        .map { number in
                            guard let log = self[topic.name]?.partitions[safely: number] else {
                                return .init(partitionIndex: number, errorCode: .unknownTopicOrPartition)
                            }
                            return .init(partitionIndex: number, activeProducers: Self.producers(of: log))
                        }
                )
            }
        )
    }

    private static func producers(of log: PartitionLog) -> [DescribeProducersResponse.Topic.Partition.Producer] {
        log.producers.sorted { $0.key < $1.key }
            .map { id, state in
                .init(
                    producerID: id,
                    producerEpoch: Int32(state.epoch),
                    lastSequence: state.batches.last?.lastSequence ?? -1,
                    lastTimestamp: state.lastUsed,
                    currentTxnStartOffset: state.openSince ?? -1
                )
            }
    }
}
