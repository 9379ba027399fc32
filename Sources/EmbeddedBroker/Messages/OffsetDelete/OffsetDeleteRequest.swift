/// OffsetDelete request (API 47), version 0.
struct OffsetDeleteRequest: Sendable, WireDecodable {
    /// `GroupId`, all versions.
    var groupID: Name = ""
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
        }
    }
}

extension OffsetDeleteRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupID = try reader.string()
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension OffsetDeleteRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension OffsetDeleteRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        try reader.tags()
    }
}
