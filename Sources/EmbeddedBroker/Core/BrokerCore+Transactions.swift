extension BrokerCore {
    /// InitProducerId: a fresh id without a transactional id; with one a new epoch, which fences and aborts.
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
        if name.isEmpty { return refuse(.invalidRequest) }
        let timeout = Int64(request.transactionTimeoutMs)
        guard timeout > 0, timeout <= self.configuration.maxTransactionTimeout.milliseconds else {
            return refuse(.invalidTransactionTimeout)
        }
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
                timeoutMs: request.transactionTimeoutMs,
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
                timeoutMs: request.transactionTimeoutMs,
                lastUsed: now.wall
            )
        }
        self.touchedTransactions.insert(name)
        guard let producer = self.transactions[name] else { return refuse(.unknownServerError) }
        self.transactionalIDs[producer.producerID] = name
        return InitProducerIDResponse(producerID: producer.producerID, producerEpoch: producer.epoch)
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
        let refusal = self.refusal(request.transactionalID, request.producerID, request.producerEpoch)
            .map { Self.fenced($0, context, since: 2) }
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
        if request.groupID.isEmpty { return AddOffsetsToTxnResponse(errorCode: .invalidGroupID) }
        if let code = self.refusal(request.transactionalID, request.producerID, request.producerEpoch) {
            return AddOffsetsToTxnResponse(errorCode: Self.fenced(code, context, since: 2))
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

    /// Aborts a transaction that has taken too long, and fences its producer.
    mutating func transactionAlarm(_ name: String, at now: BrokerTime) throws {
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
        if let abandoned { try self.finish(abandoned, with: .abort, at: now) }
    }

    private mutating func finish(_ transaction: OpenTransaction, with marker: ControlMarker, at now: BrokerTime) throws
    {
        for place in transaction.partitions {
            let index = Int(place.partition)
            guard self.topics[place.topic]?.partitions[safely: place.partition] != nil,
                let ended = self.topics[place.topic]?.partitions[index]
                    .end(
                        producerID: transaction.writer.producerID,
                        producerEpoch: transaction.writer.epoch,
                        with: marker,
                        at: now
                    )
            else { continue }
            try self.store(ended.marker, in: place)
            if let aborted = ended.aborted, let id = self.topics[place.topic]?.partitions[index].id {
                try self.store.save(aborted, partition: id)
            }
        }
        guard marker == .commit else { return }
        for (group, offsets) in transaction.offsets {
            for (place, committed) in offsets { try self.set(committed, group: group, place) }
        }
    }

    private mutating func open(_ name: String, _ change: (inout TransactionalProducer) -> Bool) {
        guard var producer = self.transactions.removeValue(forKey: name) else { return }
        let isNew = change(&producer)
        self.transactions[name] = producer
        self.touchedTransactions.insert(name)
        if isNew, let open = producer.open { self.deadlines.add(.transaction(name), at: open.deadline) }
    }

    private func refusal(_ name: String, _ producerID: Int64, _ epoch: Int16) -> ErrorCode? {
        guard let producer = self.transactions[name] else { return .invalidProducerIDMapping }
        return producer.refusal(producerID: producerID, epoch: epoch)
    }

    /// Older versions know INVALID_PRODUCER_EPOCH only (KIP-588).
    private static func fenced(_ code: ErrorCode, _ context: RequestContext, since version: Int16) -> ErrorCode {
        code == .producerFenced && context.version < version ? .invalidProducerEpoch : code
    }
}
