/// EndTxn request (API 26), versions 0 to 3.
struct EndTxnRequest: Sendable, WireDecodable {
    /// `TransactionalId`, all versions.
    var transactionalID: Name = ""
    /// `ProducerId`, all versions.
    var producerID: Int64 = 0
    /// `ProducerEpoch`, all versions.
    var producerEpoch: Int16 = 0
    /// `Committed`, all versions.
    var committed: Bool = false
}

extension EndTxnRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.transactionalID = try reader.string()
        self.producerID = try reader.int64()
        self.producerEpoch = try reader.int16()
        self.committed = try reader.bool()
        try reader.tags()
    }
}
