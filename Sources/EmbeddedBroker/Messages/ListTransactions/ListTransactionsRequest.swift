/// ListTransactions request (API 66), version 0.
struct ListTransactionsRequest: Sendable, WireDecodable {
    /// `StateFilters`, all versions.
    var stateFilters: [String] = []
    /// `ProducerIdFilters`, all versions.
    var producerIDFilters: [Int64] = []
}

extension ListTransactionsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.stateFilters = try reader.stringArray()
        self.producerIDFilters = try reader.int64Array()
        try reader.tags()
    }
}
