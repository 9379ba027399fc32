extension BrokerCore {
    /// InitProducerId: without a transactional id a fresh id; with one a new epoch, which fences and aborts.
    mutating func initProducerID(
        _ request: InitProducerIDRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) throws -> InitProducerIDResponse {
        func refuse(_ code: ErrorCode) -> InitProducerIDResponse {
            InitProducerIDResponse(errorCode: code, producerEpoch: -1)
        }
        guard let name = request.transactionalID else {
            return InitProducerIDResponse(producerID: try self.producerIDs.next(), producerEpoch: 0)
        }
        guard name.isSound else { return refuse(.invalidRequest) }
        guard request.transactionTimeoutMs > 0 else { return refuse(.invalidTransactionTimeout) }
        let limit = self.configuration.limits.transactionalIDs
        guard
            self.transactions[name] != nil
                || self.notices.allows(self.transactions.count, of: "transactional ids", limit: limit, at: now)
        else { return refuse(.policyViolation) }
        let timeout = self.timeout(for: name, asked: request.transactionTimeoutMs, at: now)
        let freshID = try self.producerIDs.next()
        if let producer = self.transactions[name], request.producerID >= 0,
            let code = producer.refusal(producerID: request.producerID, epoch: request.producerEpoch)
        {
            return refuse(Self.fenced(code == .invalidProducerIDMapping ? .producerFenced : code, context, since: 4))
        }
        let (producer, abandoned) = self.transactions.begin(name, timeoutMs: timeout, freshID: freshID, at: now)
        if let abandoned { try self.finish(abandoned, with: .abort, at: now) }
        return InitProducerIDResponse(producerID: producer.producerID, producerEpoch: producer.epoch)
    }

    /// The time-out that a producer gets: the one that it asks for, up to the configured maximum.
    private mutating func timeout(for name: Name, asked: Int32, at now: BrokerTime) -> Int32 {
        let longest = max(1, Int32(clamping: self.configuration.maxTransactionTimeout.milliseconds))
        guard asked > longest else { return asked }
        self.notices.add(.timeoutShortened(name, asked: Int64(asked), given: Int64(longest)), at: now)
        return longest
    }

    /// AddPartitionsToTxn: all of them or none.
    mutating func addPartitions(
        _ request: AddPartitionsToTxnRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) -> AddPartitionsToTxnResponse {
        let partitions = request.topics.flatMap { topic in
            topic.partitions.map { TopicPartition(topic: topic.name, partition: $0) }
        }
        let unknown = Set(partitions.filter { self.topics[$0] == nil })
        let known = self.transactions[request.transactionalID]?.open?.partitions ?? []
        let added = Set(partitions).subtracting(known)
        let refusal =
            self.transactions.refusal(request.transactionalID, request.producerID, request.producerEpoch)
            .map { Self.fenced($0, context, since: 2) }
            ?? (added.isEmpty
                ? nil
                : self.transactions.refusal(
                    toGrow: request.transactionalID,
                    by: added.count,
                    &self.notices,
                    at: now
                ))
        if refusal == nil, unknown.isEmpty, !partitions.isEmpty {
            self.transactions.open(request.transactionalID, &self.deadlines) {
                $0.add(partitions: partitions, at: now)
            }
        }
        return AddPartitionsToTxnResponse(
            topics: request.topics.map { topic in
                .init(
                    name: topic.name,
                    partitions: topic.partitions.map { number in
                        let partition = TopicPartition(topic: topic.name, partition: number)
                        let missing: ErrorCode? =
                            unknown.isEmpty
                            ? nil : unknown.contains(partition) ? .unknownTopicOrPartition : .operationNotAttempted
                        return .init(partitionIndex: number, errorCode: refusal ?? missing ?? .none)
                    }
                )
            }
        )
    }

    /// AddOffsetsToTxn.
    mutating func addOffsets(
        _ request: AddOffsetsToTxnRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) -> AddOffsetsToTxnResponse {
        guard request.groupID.isSound else { return AddOffsetsToTxnResponse(errorCode: .invalidGroupID) }
        if let code = self.transactions.refusal(request.transactionalID, request.producerID, request.producerEpoch) {
            return AddOffsetsToTxnResponse(errorCode: Self.fenced(code, context, since: 2))
        }
        if self.transactions[request.transactionalID]?.open?.offsets[request.groupID] == nil,
            let code = self.transactions.refusal(toGrow: request.transactionalID, by: 1, &self.notices, at: now)
        {
            return AddOffsetsToTxnResponse(errorCode: code)
        }
        self.transactions.open(request.transactionalID, &self.deadlines) { $0.add(group: request.groupID, at: now) }
        return AddOffsetsToTxnResponse()
    }

    /// EndTxn: markers in all partitions and the offsets, in one SQLite transaction.
    mutating func endTransaction(
        _ request: EndTxnRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) throws -> EndTxnResponse {
        if let code = self.transactions.refusal(request.transactionalID, request.producerID, request.producerEpoch) {
            return EndTxnResponse(errorCode: Self.fenced(code, context, since: 2))
        }
        let marker: ControlMarker = request.committed ? .commit : .abort
        do {
            let ended = try self.transactions.end(request.transactionalID, with: marker, at: now)
            if let ended { try self.finish(ended, with: marker, at: now) }
            return EndTxnResponse()
        } catch let refusal as AppendRefusal {
            return EndTxnResponse(errorCode: refusal.code)
        }
    }

    /// Aborts a transaction that has timed out, and fences its producer.
    mutating func transactionTimedOut(_ name: Name, at now: BrokerTime) throws {
        guard let producer = self.transactions[name], let open = producer.open else { return }
        guard open.deadline <= now.monotonic else {
            self.deadlines.add(.transaction(name), at: open.deadline)
            return
        }
        let freshID = try self.producerIDs.next()
        let abandoned = self.transactions.fence(name, freshID: freshID, at: now)
        let partitions = open.partitions.sorted { ($0.topic, $0.partition) < ($1.topic, $1.partition) }
        let age = Int64(producer.timeoutMs) + now.monotonic - open.deadline
        self.notices.add(.transactionAborted(name, partitions: partitions, after: age), at: now)
        if let abandoned { try self.finish(abandoned, with: .abort, at: now) }
    }

    private mutating func finish(_ transaction: OpenTransaction, with marker: ControlMarker, at now: BrokerTime) throws
    {
        try self.topics.end(transaction, with: marker, at: now)
        self.transactions.countEnded(marker)
        guard marker == .commit else { return }
        for (group, offsets) in transaction.offsets {
            for (partition, committed) in offsets { try self.groups.set(committed, group: group, partition) }
        }
    }

    /// Older versions only know INVALID_PRODUCER_EPOCH (KIP-588).
    private static func fenced(_ code: ErrorCode, _ context: RequestContext, since version: Int16) -> ErrorCode {
        code == .producerFenced && context.version < version ? .invalidProducerEpoch : code
    }
}
