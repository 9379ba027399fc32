/// DeleteRecords request (API 21), versions 0 to 2.
struct DeleteRecordsRequest: Sendable, WireDecodable {
    /// `Topics`, all versions.
    var topics: [Topic] = []
    /// `TimeoutMs`, all versions.
    var timeoutMs: Int32 = 0

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
            /// `Offset`, all versions.
            var offset: Int64 = 0
        }
    }
}

extension DeleteRecordsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topics = try reader.array(of: Topic.self, version: version)
        self.timeoutMs = try reader.int32()
        try reader.tags()
    }
}

extension DeleteRecordsRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension DeleteRecordsRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.offset = try reader.int64()
        try reader.tags()
    }
}
