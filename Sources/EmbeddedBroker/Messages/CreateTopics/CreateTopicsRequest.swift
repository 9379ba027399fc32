/// CreateTopics request (API 19), versions 0 to 7.
struct CreateTopicsRequest: Sendable, WireDecodable {
    /// `Topics`, all versions.
    var topics: [Topic] = []
    /// `timeoutMs`, all versions.
    var timeoutMs: Int32 = 60_000
    /// `validateOnly`, from version 1.
    var validateOnly: Bool = false

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `NumPartitions`, all versions.
        var numPartitions: Int32 = 0
        /// `ReplicationFactor`, all versions.
        var replicationFactor: Int16 = 0
        /// `Assignments`, all versions.
        var assignments: [Assignment] = []
        /// `Configs`, all versions.
        var configs: [Config] = []

        /// One element of `Assignments`.
        struct Assignment: Sendable, WireDecodable {
            /// `PartitionIndex`, all versions.
            var partitionIndex: Int32 = 0
            /// `BrokerIds`, all versions.
            var brokerIDs: [Int32] = []
        }

        /// One element of `Configs`.
        struct Config: Sendable, WireDecodable {
            /// `Name`, all versions.
            var name: String = ""
            /// `Value`, all versions.
            var value: String? = nil
        }
    }
}

extension CreateTopicsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topics = try reader.array(of: Topic.self, version: version)
        self.timeoutMs = try reader.int32()
        if version >= 1 { self.validateOnly = try reader.bool() }
        try reader.tags()
    }
}

extension CreateTopicsRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.numPartitions = try reader.int32()
        self.replicationFactor = try reader.int16()
        self.assignments = try reader.array(of: Assignment.self, version: version)
        self.configs = try reader.array(of: Config.self, version: version)
        try reader.tags()
    }
}

extension CreateTopicsRequest.Topic.Assignment {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.partitionIndex = try reader.int32()
        self.brokerIDs = try reader.int32Array()
        try reader.tags()
    }
}

extension CreateTopicsRequest.Topic.Config {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.value = try reader.nullableString()
        try reader.tags()
    }
}
