extension Transactions {
    /// DescribeTransactions (KIP-664).
    func describeTransactions(
        _ request: DescribeTransactionsRequest,
        at now: BrokerTime
    ) -> DescribeTransactionsResponse {
        var seen: Set<Name> = []
        return DescribeTransactionsResponse(
            transactionStates: request.transactionalIDs.filter { seen.insert($0).inserted }
                .map { name in
                    guard let producer = self[name] else {
                        return .init(errorCode: .transactionalIDNotFound, transactionalID: name)
                    }
                    let partitions = Dictionary(grouping: producer.open?.partitions ?? [], by: \.topic)
                    return .init(
                        transactionalID: name,
                        transactionState: producer.stateName,
                        transactionTimeoutMs: producer.timeoutMs,
                        transactionStartTimeMs: producer.open.map { now.wall - producer.age(of: $0, at: now) } ?? -1,
                        producerID: producer.producerID,
                        producerEpoch: producer.epoch,
                        topics: partitions.sorted { $0.key < $1.key }
                            .map { .init(topic: $0.key, partitions: $0.value.map(\.partition).sorted()) }
                    )
                }
        )
    }

    /// ListTransactions (KIP-664).
    func listTransactions(_ request: ListTransactionsRequest) -> ListTransactionsResponse {
        let states = Set(request.stateFilters)
        let producers = Set(request.producerIDFilters)
        let found = self.values.filter {
            (states.isEmpty || states.contains($0.stateName))
                && (producers.isEmpty || producers.contains($0.producerID))
        }
        return ListTransactionsResponse(
            unknownStateFilters: request.stateFilters.filter { !TransactionalProducer.stateNames.contains($0) },
            transactionStates: found.sorted { $0.transactionalID < $1.transactionalID }
                .map {
                    .init(
                        transactionalID: $0.transactionalID,
                        producerID: $0.producerID,
                        transactionState: $0.stateName
                    )
                }
        )
    }
}

extension TransactionalProducer {
    /// Kafka's names of all transaction states.
    static let stateNames: Set = [
        "Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort", "Dead",
        "PrepareEpochFence",
    ]

    /// Kafka's name of its state.
    var stateName: String {
        switch self.phase {
        case .idle(nil): "Empty"
        case .idle(.commit): "CompleteCommit"
        case .idle(.abort): "CompleteAbort"
        case .open: "Ongoing"
        }
    }

    /// The time for which a transaction has been open, in milliseconds; after a restart, the time since then.
    func age(of transaction: OpenTransaction, at now: BrokerTime) -> Int64 {
        max(0, Int64(self.timeoutMs) - (transaction.deadline - now.monotonic))
    }
}
