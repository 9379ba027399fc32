/// DescribeProducers request (API 61), version 0.
struct DescribeProducersRequest: Sendable, WireDecodable {
    /// `Topics`, all versions.
    var topics: [Topic] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `PartitionIndexes`, all versions.
        var partitionIndexes: [Int32] = []
    }
}

extension DescribeProducersRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension DescribeProducersRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitionIndexes = try reader.int32Array()
        try reader.tags()
    }
}
