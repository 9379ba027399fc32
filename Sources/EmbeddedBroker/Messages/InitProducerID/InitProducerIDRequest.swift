/// InitProducerId request (API 22), versions 0 to 4.
struct InitProducerIDRequest: Sendable, WireDecodable {
    /// `TransactionalId`, all versions.
    var transactionalID: Name? = nil
    /// `TransactionTimeoutMs`, all versions.
    var transactionTimeoutMs: Int32 = 0
    /// `ProducerId`, from version 3.
    var producerID: Int64 = -1
    /// `ProducerEpoch`, from version 3.
    var producerEpoch: Int16 = -1
}

extension InitProducerIDRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.transactionalID = try reader.nullableString()
        self.transactionTimeoutMs = try reader.int32()
        if version >= 3 { self.producerID = try reader.int64() }
        if version >= 3 { self.producerEpoch = try reader.int16() }
        try reader.tags()
    }
}
