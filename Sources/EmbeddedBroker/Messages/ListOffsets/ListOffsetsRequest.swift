/// ListOffsets request (API 2), versions 0 to 7.
struct ListOffsetsRequest: Sendable, WireDecodable {
    /// `ReplicaId`, all versions.
    var replicaID: Int32 = 0
    /// `IsolationLevel`, from version 2.
    var isolationLevel: Int8 = 0
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
            /// `CurrentLeaderEpoch`, from version 4.
            var currentLeaderEpoch: Int32 = -1
            /// `Timestamp`, all versions.
            var timestamp: Int64 = 0
            /// `MaxNumOffsets`, up to version 0.
            var maxNumOffsets: Int32 = 1
        }
    }
}

extension ListOffsetsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.replicaID = try reader.int32()
        if version >= 2 { self.isolationLevel = try reader.int8() }
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension ListOffsetsRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension ListOffsetsRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        if version >= 4 { self.currentLeaderEpoch = try reader.int32() }
        self.timestamp = try reader.int64()
        if version <= 0 { self.maxNumOffsets = try reader.int32() }
        try reader.tags()
    }
}
