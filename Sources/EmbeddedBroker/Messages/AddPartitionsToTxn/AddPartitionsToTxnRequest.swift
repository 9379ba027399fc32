/// AddPartitionsToTxn request (API 24), versions 0 to 3.
struct AddPartitionsToTxnRequest: Sendable, WireDecodable {
    /// `V3AndBelowTransactionalId`, all versions.
    var transactionalID: Name = ""
    /// `V3AndBelowProducerId`, all versions.
    var producerID: Int64 = 0
    /// `V3AndBelowProducerEpoch`, all versions.
    var producerEpoch: Int16 = 0
    /// `V3AndBelowTopics`, all versions.
    var topics: [Topic] = []

    /// One element of `V3AndBelowTopics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `Partitions`, all versions.
        var partitions: [Int32] = []
    }
}

extension AddPartitionsToTxnRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.transactionalID = try reader.string()
        self.producerID = try reader.int64()
        self.producerEpoch = try reader.int16()
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension AddPartitionsToTxnRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.int32Array()
        try reader.tags()
    }
}
