/// OffsetForLeaderEpoch request (API 23), versions 0 to 4.
struct OffsetForLeaderEpochRequest: Sendable, WireDecodable {
    /// `ReplicaId`, from version 3.
    var replicaID: Int32 = -2
    /// `Topics`, all versions.
    var topics: [Topic] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Topic`, all versions.
        var topic: Name = ""
        /// `Partitions`, all versions.
        var partitions: [Partition] = []

        /// One element of `Partitions`.
        struct Partition: Sendable, WireDecodable {
            /// `Partition`, all versions.
            var partition: Int32 = 0
            /// `CurrentLeaderEpoch`, from version 2.
            var currentLeaderEpoch: Int32 = -1
            /// `LeaderEpoch`, all versions.
            var leaderEpoch: Int32 = 0
        }
    }
}

extension OffsetForLeaderEpochRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 3 { self.replicaID = try reader.int32() }
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension OffsetForLeaderEpochRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topic = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension OffsetForLeaderEpochRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partition = try reader.int32()
        if version >= 2 { self.currentLeaderEpoch = try reader.int32() }
        self.leaderEpoch = try reader.int32()
        try reader.tags()
    }
}
