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
            return InitProducerIDResponse(producerID: try self.freshProducerID(), producerEpoch: 0)
        }
        guard name.isSound else { return refuse(.invalidRequest) }
        guard request.transactionTimeoutMs > 0 else { return refuse(.invalidTransactionTimeout) }
        let limit = self.configuration.limits.transactionalIDs
        guard
            self.transactions[name] != nil
                || self.allows(self.transactions.count, of: "transactional ids", limit: limit, at: now)
        else { return refuse(.policyViolation) }
        let timeout = self.timeout(for: name, asked: request.transactionTimeoutMs, at: now)
        let freshID = try self.freshProducerID()
        if var producer = self.transactions[name] {
            if request.producerID >= 0 {
                let code = producer.refusal(producerID: request.producerID, epoch: request.producerEpoch)
                if let code {
                    return refuse(
                        Self.fenced(code == .invalidProducerIDMapping ? .producerFenced : code, context, since: 4)
                    )
                }
            }
            let before = producer.producerID
            let abandoned = producer.begin(
                timeoutMs: timeout,
                freshID: { freshID },
                at: now
            )
            self.transactions[name] = producer
            if before != producer.producerID { self.transactionalIDs[before] = nil }
            if let abandoned { try self.finish(abandoned, with: .abort, at: now) }
        } else {
            self.transactions[name] = TransactionalProducer(
                transactionalID: name,
                producerID: freshID,
                epoch: 0,
                timeoutMs: timeout,
                lastUsed: now.wall
            )
        }
        self.touchedTransactions.insert(name)
        guard let producer = self.transactions[name] else { return refuse(.unknownServerError) }
        self.transactionalIDs[producer.producerID] = name
        return InitProducerIDResponse(producerID: producer.producerID, producerEpoch: producer.epoch)
    }

    /// The time-out that a producer gets: the one that it asks for, up to the configured maximum.
    private mutating func timeout(for name: Name, asked: Int32, at now: BrokerTime) -> Int32 {
        let longest = max(1, Int32(clamping: self.configuration.maxTransactionTimeout.milliseconds))
        guard asked > longest else { return asked }
        self.notify(.timeoutShortened(name, asked: Int64(asked), given: Int64(longest)), at: now)
        return longest
    }

    /// The error if the transaction may not be open or grow by this many partitions or groups; nil if it may.
    private mutating func refusal(toGrow name: Name, by count: Int, at now: BrokerTime) -> ErrorCode? {
        let limits = self.configuration.limits
        if let open = self.transactions[name]?.open {
            let size = max(open.partitions.count, open.offsets.count) + count
            let limit = limits.transactionPartitions
            return self.allows(size - 1, of: "partitions of a transaction", limit: limit, at: now)
                ? nil : .policyViolation
        }
        guard count <= limits.transactionPartitions else { return .policyViolation }
        // At least this many transactions are open: the others wait, and clients try again.
        let open = self.transactions.values.count { $0.open != nil }
        return self.allows(open, of: "open transactions", limit: limits.openTransactions, at: now)
            ? nil : .concurrentTransactions
    }

    /// AddPartitionsToTxn: all of them or none.
    mutating func addPartitions(
        _ request: AddPartitionsToTxnRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) -> AddPartitionsToTxnResponse {
        let places = request.topics.flatMap { topic in
            topic.partitions.map { TopicPartition(topic: topic.name, partition: $0) }
        }
        let unknown = Set(places.filter { self.topics[$0.topic]?.partitions[safely: $0.partition] == nil })
        let known = self.transactions[request.transactionalID]?.open?.partitions ?? []
        let added = Set(places).subtracting(known)
        let refusal =
            self.refusal(request.transactionalID, request.producerID, request.producerEpoch)
            .map { Self.fenced($0, context, since: 2) }
            ?? (added.isEmpty ? nil : self.refusal(toGrow: request.transactionalID, by: added.count, at: now))
        if refusal == nil, unknown.isEmpty, !places.isEmpty {
            self.open(request.transactionalID) { $0.add(partitions: places, at: now) }
        }
        return AddPartitionsToTxnResponse(
            topics: request.topics.map { topic in
                .init(
                    name: topic.name,
                    partitions: topic.partitions.map { number in
                        let place = TopicPartition(topic: topic.name, partition: number)
                        let missing: ErrorCode? =
                            unknown.isEmpty
                            ? nil : unknown.contains(place) ? .unknownTopicOrPartition : .operationNotAttempted
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
        if let code = self.refusal(request.transactionalID, request.producerID, request.producerEpoch) {
            return AddOffsetsToTxnResponse(errorCode: Self.fenced(code, context, since: 2))
        }
        if self.transactions[request.transactionalID]?.open?.offsets[request.groupID] == nil,
            let code = self.refusal(toGrow: request.transactionalID, by: 1, at: now)
        {
            return AddOffsetsToTxnResponse(errorCode: code)
        }
        self.open(request.transactionalID) { $0.add(group: request.groupID, at: now) }
        return AddOffsetsToTxnResponse()
    }

    /// EndTxn: markers in all partitions and the offsets, in one SQLite transaction.
    mutating func endTransaction(
        _ request: EndTxnRequest,
        _ context: RequestContext,
        at now: BrokerTime
    ) throws -> EndTxnResponse {
        if let code = self.refusal(request.transactionalID, request.producerID, request.producerEpoch) {
            return EndTxnResponse(errorCode: Self.fenced(code, context, since: 2))
        }
        let marker: ControlMarker = request.committed ? .commit : .abort
        do {
            let ended = try self.transactions[request.transactionalID]?.end(with: marker, at: now)
            self.touchedTransactions.insert(request.transactionalID)
            if let ended { try self.finish(ended, with: marker, at: now) }
            return EndTxnResponse()
        } catch let refusal as AppendRefusal {
            return EndTxnResponse(errorCode: refusal.code)
        }
    }

    /// Aborts a transaction that has timed out, and fences its producer.
    mutating func transactionTimedOut(_ name: Name, at now: BrokerTime) throws {
        guard var producer = self.transactions[name], let open = producer.open else { return }
        guard open.deadline <= now.monotonic else {
            self.deadlines.add(.transaction(name), at: open.deadline)
            return
        }
        let freshID = try self.freshProducerID()
        let before = producer.producerID
        let abandoned = producer.fence(freshID: { freshID }, at: now)
        self.transactions[name] = producer
        if before != producer.producerID { self.transactionalIDs[before] = nil }
        self.transactionalIDs[producer.producerID] = name
        self.touchedTransactions.insert(name)
        let places = open.partitions.sorted { ($0.topic, $0.partition) < ($1.topic, $1.partition) }
        let age = Int64(producer.timeoutMs) + now.monotonic - open.deadline
        self.notify(.transactionAborted(name, partitions: places, after: age), at: now)
        if let abandoned { try self.finish(abandoned, with: .abort, at: now) }
    }

    private mutating func finish(_ transaction: OpenTransaction, with marker: ControlMarker, at now: BrokerTime) throws
    {
        let store = self.store
        let cacheBytes = self.configuration.cacheBytesPerPartition
        for place in transaction.partitions {
            let ended: Void? = try self.withLog(place) { log in
                let ended = log.end(
                    producerID: transaction.writer.producerID,
                    producerEpoch: transaction.writer.epoch,
                    with: marker,
                    at: now
                )
                try store.append(ended.marker, partition: log.id)
                log.cache.append(ended.marker, limit: cacheBytes)
                if let aborted = ended.aborted { try store.save(aborted, partition: log.id) }
            }
            if ended != nil { self.touchedPartitions.insert(place) }
        }
        self.endedTransactions.count(marker)
        guard marker == .commit else { return }
        for (group, offsets) in transaction.offsets {
            for (place, committed) in offsets { try self.set(committed, group: group, place) }
        }
    }

    private mutating func open(_ name: Name, _ change: (inout TransactionalProducer) -> Bool) {
        guard var producer = self.transactions.removeValue(forKey: name) else { return }
        let isNew = change(&producer)
        self.transactions[name] = producer
        self.touchedTransactions.insert(name)
        if isNew, let open = producer.open { self.deadlines.add(.transaction(name), at: open.deadline) }
    }

    private func refusal(_ name: Name, _ producerID: Int64, _ epoch: Int16) -> ErrorCode? {
        guard let producer = self.transactions[name] else { return .invalidProducerIDMapping }
        return producer.refusal(producerID: producerID, epoch: epoch)
    }

    /// Older versions only know INVALID_PRODUCER_EPOCH (KIP-588).
    private static func fenced(_ code: ErrorCode, _ context: RequestContext, since version: Int16) -> ErrorCode {
        code == .producerFenced && context.version < version ? .invalidProducerEpoch : code
    }
}
