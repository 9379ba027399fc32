/// OffsetCommit request (API 8), versions 0 to 8.
struct OffsetCommitRequest: Sendable, WireDecodable {
    /// `GroupId`, all versions.
    var groupID: Name = ""
    /// `GenerationIdOrMemberEpoch`, from version 1.
    var generationID: Int32 = -1
    /// `MemberId`, from version 1.
    var memberID: Name = ""
    /// `GroupInstanceId`, from version 7.
    var groupInstanceID: Name? = nil
    /// `RetentionTimeMs`, versions 2 to 4.
    var retentionTimeMs: Int64 = -1
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
            /// `CommittedLeaderEpoch`, from version 6.
            var leaderEpoch: Int32 = -1
            /// `CommitTimestamp`, version 1.
            var commitTimestamp: Int64 = -1
            /// `CommittedMetadata`, all versions.
            var metadata: String? = nil
        }
    }
}

extension OffsetCommitRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupID = try reader.string()
        if version >= 1 { self.generationID = try reader.int32() }
        if version >= 1 { self.memberID = try reader.string() }
        if version >= 7 { self.groupInstanceID = try reader.nullableString() }
        if version >= 2, version <= 4 { self.retentionTimeMs = try reader.int64() }
        self.topics = try reader.array(of: Topic.self, version: version)
        try reader.tags()
    }
}

extension OffsetCommitRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension OffsetCommitRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.offset = try reader.int64()
        if version >= 6 { self.leaderEpoch = try reader.int32() }
        if version == 1 { self.commitTimestamp = try reader.int64() }
        self.metadata = try reader.nullableString()
        try reader.tags()
    }
}
