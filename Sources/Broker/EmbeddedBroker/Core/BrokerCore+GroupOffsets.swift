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
        let refusal = self.refusal(of: committer, group: request.groupID, at: now)
        var response = OffsetCommitResponse()
        for topic in request.topics {
            var results = OffsetCommitResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                let committed = CommittedOffset(
                    offset: partition.offset,
                    leaderEpoch: partition.leaderEpoch,
                    metadata: partition.metadata,
                    committedAt: now.wall
                )
                let before = self.groups[request.groupID]?.offsets[place]?.byteCount ?? 0
                let code =
                    refusal ?? self.refusal(of: partition.metadata, for: place)
                    ?? self.refusal(ofBytes: committed.byteCount - before, at: now) ?? .none
                if code == .none {
                    try self.set(committed, group: request.groupID, place)
                }
                results.partitions.append(.init(partitionIndex: partition.partitionIndex, errorCode: code))
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
        var bytes = self.transactions.values.reduce(0) { $0 + ($1.open?.offsetBytes ?? 0) }
        var response = TxnOffsetCommitResponse()
        for topic in request.topics {
            var results = TxnOffsetCommitResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                let committed = CommittedOffset(
                    offset: partition.offset,
                    leaderEpoch: partition.leaderEpoch,
                    metadata: partition.metadata,
                    committedAt: now.wall
                )
                bytes += committed.byteCount
                let code =
                    refusal ?? self.refusal(of: partition.metadata, for: place)
                    ?? self.refusal(ofBytes: bytes, at: now) ?? .none
                if code == .none { held[place] = committed }
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
        group: Name,
        at now: BrokerTime
    ) -> ErrorCode? {
        if self.groups[group] == nil {
            if committer.generation >= 0 { return .illegalGeneration }
            guard group.isSound else { return .invalidGroupID }
            let limit = self.configuration.limits.groups
            guard self.allows(self.groups.count, of: "groups", limit: limit, at: now) else { return .policyViolation }
            self.groups[group] = ConsumerGroup(id: group)
            self.touchedGroups.insert(group)
        }
        return self.groups[group]?.refusal(of: committer, at: now)
    }

    private func refusal(of metadata: String?, for place: TopicPartition) -> ErrorCode? {
        guard self.topics[place.topic]?.partitions[safely: place.partition] != nil else {
            return .unknownTopicOrPartition
        }
        // SQLite would cut it off at a null character.
        guard metadata?.utf8.contains(0) != true else { return .invalidRequest }
        return metadata?.utf8.count ?? 0 > Self.maxMetadata ? .offsetMetadataTooLarge : nil
    }

    private mutating func refusal(ofBytes bytes: Int, at now: BrokerTime) -> ErrorCode? {
        let limit = self.configuration.limits.offsetBytes
        return self.allows(self.offsetBytes + bytes - 1, of: "bytes of committed offsets", limit: limit, at: now)
            ? nil : .invalidCommitOffsetSize
    }

    /// Makes an offset visible.
    mutating func set(_ committed: CommittedOffset, group: Name, _ place: TopicPartition) throws {
        if self.groups[group] == nil {
            self.groups[group] = ConsumerGroup(id: group)
            self.touchedGroups.insert(group)
        }
        let before = self.groups[group]?.offsets.updateValue(committed, forKey: place)
        self.offsetBytes += committed.byteCount - (before?.byteCount ?? 0)
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

    /// OffsetDelete (KIP-496): only for topics that no member reads any more, which here means a group without members.
    mutating func deleteOffsets(_ request: OffsetDeleteRequest) throws -> OffsetDeleteResponse {
        guard let group = self.groups[request.groupID] else { return .init(errorCode: .groupIDNotFound) }
        var response = OffsetDeleteResponse()
        for topic in request.topics {
            var results = OffsetDeleteResponse.Topic(name: topic.name)
            for partition in topic.partitions {
                let place = TopicPartition(topic: topic.name, partition: partition.partitionIndex)
                let code: ErrorCode = group.members.isEmpty ? .none : .groupSubscribedToTopic
                if code == .none {
                    let before = self.groups[request.groupID]?.offsets.removeValue(forKey: place)
                    self.offsetBytes -= before?.byteCount ?? 0
                    try self.store.dropOffset(group: request.groupID, partition: place)
                }
                results.partitions.append(.init(partitionIndex: partition.partitionIndex, errorCode: code))
            }
            response.topics.append(results)
        }
        return response
    }
}
