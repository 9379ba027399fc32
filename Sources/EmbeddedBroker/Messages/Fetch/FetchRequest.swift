/// Fetch request (API 1), versions 0 to 12.
struct FetchRequest: Sendable, WireDecodable {
    /// `ReplicaId`, all versions.
    var replicaID: Int32 = -1
    /// `MaxWaitMs`, all versions.
    var maxWaitMs: Int32 = 0
    /// `MinBytes`, all versions.
    var minBytes: Int32 = 0
    /// `MaxBytes`, from version 3.
    var maxBytes: Int32 = .max
    /// `IsolationLevel`, from version 4.
    var isolationLevel: Int8 = 0
    /// `SessionId`, from version 7.
    var sessionID: Int32 = 0
    /// `SessionEpoch`, from version 7.
    var sessionEpoch: Int32 = -1
    /// `Topics`, all versions.
    var topics: [Topic] = []
    /// `ForgottenTopicsData`, from version 7.
    var forgottenTopicsData: [ForgottenTopic] = []
    /// `RackId`, from version 11.
    var rackID: String = ""

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
            /// `CurrentLeaderEpoch`, from version 9.
            var currentLeaderEpoch: Int32 = -1
            /// `FetchOffset`, all versions.
            var fetchOffset: Int64 = 0
            /// `LastFetchedEpoch`, from version 12.
            var lastFetchedEpoch: Int32 = -1
            /// `LogStartOffset`, from version 5.
            var logStartOffset: Int64 = -1
            /// `PartitionMaxBytes`, all versions.
            var partitionMaxBytes: Int32 = 0
        }
    }

    /// One element of `ForgottenTopicsData`.
    struct ForgottenTopic: Sendable, WireDecodable {
        /// `Topic`, from version 7.
        var topic: Name = ""
        /// `Partitions`, from version 7.
        var partitions: [Int32] = []
    }
}

extension FetchRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.replicaID = try reader.int32()
        self.maxWaitMs = try reader.int32()
        self.minBytes = try reader.int32()
        if version >= 3 { self.maxBytes = try reader.int32() }
        if version >= 4 { self.isolationLevel = try reader.int8() }
        if version >= 7 { self.sessionID = try reader.int32() }
        if version >= 7 { self.sessionEpoch = try reader.int32() }
        self.topics = try reader.array(of: Topic.self, version: version)
        if version >= 7 { self.forgottenTopicsData = try reader.array(of: ForgottenTopic.self, version: version) }
        if version >= 11 { self.rackID = try reader.string() }
        try reader.tags()
    }
}

extension FetchRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topic = try reader.string()
        self.partitions = try reader.array(of: Partition.self, version: version)
        try reader.tags()
    }
}

extension FetchRequest.Topic.Partition {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partition = try reader.int32()
        if version >= 9 { self.currentLeaderEpoch = try reader.int32() }
        self.fetchOffset = try reader.int64()
        if version >= 12 { self.lastFetchedEpoch = try reader.int32() }
        if version >= 5 { self.logStartOffset = try reader.int64() }
        self.partitionMaxBytes = try reader.int32()
        try reader.tags()
    }
}

extension FetchRequest.ForgottenTopic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 7 { self.topic = try reader.string() }
        if version >= 7 { self.partitions = try reader.int32Array() }
        try reader.tags()
    }
}
