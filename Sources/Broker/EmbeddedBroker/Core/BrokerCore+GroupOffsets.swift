extension BrokerCore {
    /// The longest metadata that may be kept with a committed offset, in bytes.
    private static let maxMetadata = 4_096

    mutating func commitOffsets(_ request: OffsetCommitRequest, at now: BrokerTime) throws -> OffsetCommitResponse {
        let committer = ConsumerGroup.Committer(
            generation: request.generationID,
            memberID: request.memberID,
            instanceID: request.groupInstanceID,
            isTransactional: false
        )
        let refusal = self.groups.refusal(of: committer, group: request.groupID, &self.notices, at: now)
        var response = OffsetCommitResponse()
        for topic in request.topics {
            var results = OffsetCommitResponse.Topic(name: topic.name)
            for wanted in topic.partitions {
                let partition = TopicPartition(topic: topic.name, partition: wanted.partitionIndex)
                let committed = CommittedOffset(
                    offset: wanted.offset,
                    leaderEpoch: wanted.leaderEpoch,
                    metadata: wanted.metadata,
                    committedAt: now.wall
                )
                let before = self.groups[request.groupID]?.offsets[partition]?.byteCount ?? 0
                let code =
                    refusal ?? self.refusal(of: wanted.metadata, for: partition)
                    ?? self.groups.refusal(ofBytes: committed.byteCount - before, &self.notices, at: now) ?? .none
                if code == .none {
                    try self.groups.set(committed, group: request.groupID, partition)
                }
                results.partitions.append(.init(partitionIndex: wanted.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        return response
    }

    /// TxnOffsetCommit: held until the transaction commits (KIP-98), fenced by the group's generation (KIP-447).
    mutating func commitOffsets(_ request: TxnOffsetCommitRequest, at now: BrokerTime) -> TxnOffsetCommitResponse {
        let refusal = self.refusal(of: request, at: now)
        var held: [TopicPartition: CommittedOffset] = [:]
        // The offsets that earlier requests of this and other transactions hold, plus those of this request.
        var bytes = self.transactions.offsetBytes
        var response = TxnOffsetCommitResponse()
        for topic in request.topics {
            var results = TxnOffsetCommitResponse.Topic(name: topic.name)
            for wanted in topic.partitions {
                let partition = TopicPartition(topic: topic.name, partition: wanted.partitionIndex)
                let committed = CommittedOffset(
                    offset: wanted.offset,
                    leaderEpoch: wanted.leaderEpoch,
                    metadata: wanted.metadata,
                    committedAt: now.wall
                )
                bytes += committed.byteCount
                let code =
                    refusal ?? self.refusal(of: wanted.metadata, for: partition)
                    ?? self.groups.refusal(ofBytes: bytes, &self.notices, at: now) ?? .none
                if code == .none { held[partition] = committed }
                results.partitions.append(.init(partitionIndex: wanted.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        if !held.isEmpty {
            self.transactions.hold(held, for: request.groupID, of: request.transactionalID, at: now)
        }
        return response
    }

    private mutating func refusal(of request: TxnOffsetCommitRequest, at now: BrokerTime) -> ErrorCode? {
        guard let producer = self.transactions[request.transactionalID] else { return .invalidProducerIDMapping }
        if let code = producer.refusal(producerID: request.producerID, epoch: request.producerEpoch) {
            return code == .producerFenced ? .invalidProducerEpoch : code
        }
        guard producer.open?.offsets[request.groupID] != nil else { return .invalidTransactionState }
        let committer = ConsumerGroup.Committer(
            generation: request.generationID,
            memberID: request.memberID,
            instanceID: request.groupInstanceID,
            isTransactional: true
        )
        return self.groups.refusal(of: committer, group: request.groupID, &self.notices, at: now)
    }

    private func refusal(of metadata: String?, for partition: TopicPartition) -> ErrorCode? {
        guard self.topics[partition] != nil else { return .unknownTopicOrPartition }
        // SQLite would cut it off at a null character.
        guard metadata?.utf8.contains(0) != true else { return .invalidRequest }
        return metadata?.utf8.count ?? 0 > Self.maxMetadata ? .offsetMetadataTooLarge : nil
    }

    /// OffsetFetch: one group before version 8, any number since (KIP-709); unstable offsets on request (KIP-447).
    func fetchOffsets(_ request: OffsetFetchRequest, _ context: RequestContext) -> OffsetFetchResponse {
        var response = OffsetFetchResponse()
        if context.version < 8 {
            let wanted = request.topics.map { topics in topics.map { ($0.name, $0.partitionIndexes) } }
            for (name, partitions) in self.offsets(request.groupID, wanted, stable: request.requireStable) {
                response.topics.append(
                    .init(
                        name: name,
                        partitions: partitions.map {
                            .init(
                                partitionIndex: $0.partition,
                                offset: $0.committed?.offset ?? -1,
                                leaderEpoch: $0.committed?.leaderEpoch ?? -1,
                                metadata: $0.committed?.metadata ?? "",
                                errorCode: $0.code
                            )
                        }
                    )
                )
            }
            return response
        }
        var seen: Set<Name> = []
        for group in request.groups where seen.insert(group.groupID).inserted {
            var result = OffsetFetchResponse.Group(groupID: group.groupID)
            let wanted = group.topics.map { topics in topics.map { ($0.name, $0.partitionIndexes) } }
            for (name, partitions) in self.offsets(group.groupID, wanted, stable: request.requireStable) {
                result.topics.append(
                    .init(
                        name: name,
                        partitions: partitions.map {
                            .init(
                                partitionIndex: $0.partition,
                                offset: $0.committed?.offset ?? -1,
                                leaderEpoch: $0.committed?.leaderEpoch ?? -1,
                                metadata: $0.committed?.metadata ?? "",
                                errorCode: $0.code
                            )
                        }
                    )
                )
            }
            response.groups.append(result)
        }
        return response
    }

    private struct Fetched {
        var partition: Int32
        var committed: CommittedOffset?
        var code: ErrorCode
    }

    private func offsets(
        _ name: Name,
        _ wanted: [(Name, [Int32])]?,
        stable: Bool
    ) -> [(Name, [Fetched])] {
        let group = self.groups[name]
        let pending = stable ? self.transactions.partitions(heldFor: name) : []
        let all = Dictionary(grouping: group?.offsets.keys.map { $0 } ?? [], by: \.topic)
        let topics = wanted ?? all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(\.partition).sorted()) }
        return topics.map { topic, partitions in
            let fetched = partitions.map { number in
                let partition = TopicPartition(topic: topic, partition: number)
                let isUnstable = pending.contains(partition)
                return Fetched(
                    partition: number,
                    committed: isUnstable ? nil : group?.offsets[partition],
                    code: isUnstable ? .unstableOffsetCommit : .none
                )
            }
            return (topic, fetched)
        }
    }
}
