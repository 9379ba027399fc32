/// TxnOffsetCommit request (API 28), versions 0 to 3.
struct TxnOffsetCommitRequest: Sendable, WireDecodable {
    /// `TransactionalId`, all versions.
    var transactionalID: Name = ""
    /// `GroupId`, all versions.
    var groupID: Name = ""
    /// `ProducerId`, all versions.
    var producerID: Int64 = 0
    /// `ProducerEpoch`, all versions.
    var producerEpoch: Int16 = 0
    /// `GenerationId`, from version 3.
    var generationID: Int32 = -1
    /// `MemberId`, from version 3.
    var memberID: Name = ""
    /// `GroupInstanceId`, from version 3.
    var groupInstanceID: Name? = nil
    /// `Topics`, all versions.
    var topics: [Topic] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `Partitions`, all versions.
        var partitions: [Partition] = []

        /// One element of `Partitions`.
        struct Partition: Sendable, WireDecodable {
            /// `PartitionIndex`, all versions.
            var partitionIndex: Int32 = 0
            /// `CommittedOffset`, all versions.
            var offset: Int64 = 0
            /// `CommittedLeaderEpoch`, from version 2.
            var leaderEpoch: Int32 = -1
            /// `CommittedMetadata`, all versions.
            var metadata: String? = nil
        }
    }
}

extension TxnOffsetCommitRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.transactionalID = try reader.string()
        self.groupID = try reader.string()
        self.producerID = try reader.int64()
        self.producerEpoch = try reader.int16()
        if version >= 3 { self.generationID = try reader.int32() }
        if version >= 3 { self.memberID = try reader.string() }
        if version >= 3 { self.groupInstanceID = try reader.nullableString() }
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension TxnOffsetCommitRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension TxnOffsetCommitRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.offset = try reader.int64()
        if version >= 2 { self.leaderEpoch = try reader.int32() }
        self.metadata = try reader.nullableString()
        try reader.tags()
    }
}
