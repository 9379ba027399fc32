import NIOCore

/// Produce request (API 0), versions 0 to 9.
struct ProduceRequest: Sendable, WireDecodable {
    /// `TransactionalId`, from version 3.
    var transactionalID: Name? = nil
    /// `Acks`, all versions.
    var acks: Int16 = 0
    /// `TimeoutMs`, all versions.
    var timeoutMs: Int32 = 0
    /// `TopicData`, all versions.
    var topics: [Topic] = []

    /// One element of `TopicData`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `PartitionData`, all versions.
        var partitions: [Partition] = []

        /// One element of `PartitionData`.
        struct Partition: Sendable, WireDecodable {
            /// `Index`, all versions.
            var index: Int32 = 0
            /// `Records`, all versions.
            var records: ByteBuffer? = nil
        }
    }
}

extension ProduceRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 3 { self.transactionalID = try reader.nullableString() }
        self.acks = try reader.int16()
        self.timeoutMs = try reader.int32()
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension ProduceRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension ProduceRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.index = try reader.int32()
        self.records = try reader.nullableBytes()
        try reader.tags()
    }
}
