/// ListTransactions response (API 66), version 0.
struct ListTransactionsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `UnknownStateFilters`, all versions.
    var unknownStateFilters: [String] = []
    /// `TransactionStates`, all versions.
    var transactionStates: [State] = []

    /// One element of `TransactionStates`.
    struct State: Sendable, WireEncodable {
        /// `TransactionalId`, all versions.
        var transactionalID: Name = ""
        /// `ProducerId`, all versions.
        var producerID: Int64 = -1
        /// `TransactionState`, all versions.
        var transactionState: String = ""
    }
}

extension ListTransactionsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.write(self.errorCode)
        writer.write(self.unknownStateFilters as [String]?)
        writer.array(self.transactionStates, version: version)
        writer.tags()
    }
}

extension ListTransactionsResponse.State {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.transactionalID)
        writer.write(self.producerID)
        writer.write(self.transactionState)
        writer.tags()
    }
}
