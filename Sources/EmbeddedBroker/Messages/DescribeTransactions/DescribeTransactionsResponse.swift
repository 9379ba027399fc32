/// DescribeTransactions response (API 65), version 0.
struct DescribeTransactionsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `TransactionStates`, all versions.
    var transactionStates: [State] = []

    /// One element of `TransactionStates`.
    struct State: Sendable, WireEncodable {
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `TransactionalId`, all versions.
        var transactionalID: Name = ""
        /// `TransactionState`, all versions.
        var transactionState: String = ""
        /// `TransactionTimeoutMs`, all versions.
        var transactionTimeoutMs: Int32 = 0
        /// `TransactionStartTimeMs`, all versions.
        var transactionStartTimeMs: Int64 = -1
        /// `ProducerId`, all versions.
        var producerID: Int64 = -1
        /// `ProducerEpoch`, all versions.
        var producerEpoch: Int16 = -1
        /// `Topics`, all versions.
        var topics: [Topic] = []

        /// One element of `Topics`.
        struct Topic: Sendable, WireEncodable {
            /// `Topic`, all versions.
            var topic: Name = ""
            /// `Partitions`, all versions.
            var partitions: [Int32] = []
        }
    }
}

extension DescribeTransactionsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.transactionStates, version: version)
        writer.tags()
    }
}

extension DescribeTransactionsResponse.State {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.transactionalID)
        writer.write(self.transactionState)
        writer.write(self.transactionTimeoutMs)
        writer.write(self.transactionStartTimeMs)
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension DescribeTransactionsResponse.State.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.topic)
        writer.write(self.partitions)
        writer.tags()
    }
}
