extension BrokerCore {
    /// The longest metadata that may stand with a committed offset, in bytes.
    private static let maxMetadata = 4_096

    /// OffsetCommit.
    mutating func commitOffsets(_ request: OffsetCommitRequest, at now: BrokerTime) throws -> OffsetCommitResponse {
        let committer = ConsumerGroup.Committer(
            generation: request.generationID,
            memberID: request.memberID,
            instanceID: request.groupInstanceID,
            isTransactional: false
        )
        let refusal = self.refusal(of: committer, group: request.groupID, at: now)
        var response = OffsetCommitResponse()
        for topic in request.topics {
            var results = OffsetCommitResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                let code = refusal ?? self.refusal(of: partition.metadata, for: place) ?? .none
                if code == .none {
                    let committed = CommittedOffset(
                        offset: partition.offset,
                        leaderEpoch: partition.leaderEpoch,
                        metadata: partition.metadata,
                        committedAt: now.wall
                    )
                    try self.set(committed, group: request.groupID, place)
                }
                results.partitions.append(.init(partitionIndex: partition.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        return response
    }

    /// TxnOffsetCommit: held back until the transaction commits (KIP-98), fenced by the group's generation (KIP-447).
    mutating func commitOffsets(_ request: TxnOffsetCommitRequest, at now: BrokerTime) -> TxnOffsetCommitResponse {
        let refusal = self.refusal(of: request, at: now)
        var held: [TopicPartition: CommittedOffset] = [:]
        var response = TxnOffsetCommitResponse()
        for topic in request.topics {
            var results = TxnOffsetCommitResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                let code = refusal ?? self.refusal(of: partition.metadata, for: place) ?? .none
                if code == .none {
                    held[place] = CommittedOffset(
                        offset: partition.offset,
                        leaderEpoch: partition.leaderEpoch,
                        metadata: partition.metadata,
                        committedAt: now.wall
                    )
                }
                results.partitions.append(.init(partitionIndex: partition.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        if !held.isEmpty {
            _ = self.transactions[request.transactionalID]?.hold(held, for: request.groupID, at: now)
            self.touchedTransactions.insert(request.transactionalID)
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
        return self.refusal(of: committer, group: request.groupID, at: now)
    }

    private mutating func refusal(
        of committer: ConsumerGroup.Committer,
        group: String,
        at now: BrokerTime
    ) -> ErrorCode? {
        if self.groups[group] == nil {
            if committer.generation >= 0 { return .illegalGeneration }
            self.groups[group] = ConsumerGroup(id: group)
            self.touchedGroups.insert(group)
        }
        return self.groups[group]?.refusal(of: committer, at: now)
    }

    private func refusal(of metadata: String?, for place: TopicPartition) -> ErrorCode? {
        guard self.topics[place.topic]?.partitions[safely: place.partition] != nil else {
            return .unknownTopicOrPartition
        }
        return metadata?.utf8.count ?? 0 > Self.maxMetadata ? .offsetMetadataTooLarge : nil
    }

    /// Makes an offset visible.
    mutating func set(_ committed: CommittedOffset, group: String, _ place: TopicPartition) throws {
        if self.groups[group] == nil {
            self.groups[group] = ConsumerGroup(id: group)
            self.touchedGroups.insert(group)
        }
        self.groups[group]?.offsets[place] = committed
        try self.store.save(committed, group: group, partition: place)
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
        for group in request.groups {
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
        _ name: String,
        _ wanted: [(String, [Int32])]?,
        stable: Bool
    ) -> [(String, [Fetched])] {
        let group = self.groups[name]
        var pending: Set<TopicPartition> = []
        if stable {
            for producer in self.transactions.values {
                if let held = producer.open?.offsets[name] { pending.formUnion(held.keys) }
            }
        }
        let all = Dictionary(grouping: group?.offsets.keys.map { $0 } ?? [], by: \.topic)
        let places = wanted ?? all.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(\.partition).sorted()) }
        return places.map { topic, partitions in
            let fetched = partitions.map { partition in
                let place = TopicPartition(topic: topic, partition: partition)
                let isUnstable = pending.contains(place)
                return Fetched(
                    partition: partition,
                    committed: isUnstable ? nil : group?.offsets[place],
                    code: isUnstable ? .unstableOffsetCommit : .none
                )
            }
            return (topic, fetched)
        }
    }

    /// OffsetDelete (KIP-496): only for topics that no member reads any more, which here means: without members.
    mutating func deleteOffsets(_ request: OffsetDeleteRequest) throws -> OffsetDeleteResponse {
        guard let group = self.groups[request.groupID] else { return .init(errorCode: .groupIDNotFound) }
        var response = OffsetDeleteResponse()
        for topic in request.topics {
            var results = OffsetDeleteResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                let code: ErrorCode = group.members.isEmpty ? .none : .groupSubscribedToTopic
                if code == .none {
                    self.groups[request.groupID]?.offsets[place] = nil
                    try self.store.dropOffset(group: request.groupID, partition: place)
                }
                results.partitions.append(.init(partitionIndex: partition.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        return response
    }
}
