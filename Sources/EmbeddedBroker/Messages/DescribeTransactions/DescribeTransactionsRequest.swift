/// DescribeTransactions request (API 65), version 0.
struct DescribeTransactionsRequest: Sendable, WireDecodable {
    /// `TransactionalIds`, all versions.
    var transactionalIDs: [Name] = []
}

extension DescribeTransactionsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.transactionalIDs = try reader.stringArray()
        try reader.tags()
    }
}
