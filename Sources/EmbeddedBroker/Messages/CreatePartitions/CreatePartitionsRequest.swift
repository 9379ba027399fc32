/// CreatePartitions request (API 37), versions 0 to 3.
struct CreatePartitionsRequest: Sendable, WireDecodable {
    /// `Topics`, all versions.
    var topics: [Topic] = []
    /// `TimeoutMs`, all versions.
    var timeoutMs: Int32 = 0
    /// `ValidateOnly`, all versions.
    var validateOnly: Bool = false

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `Count`, all versions.
        var count: Int32 = 0
        /// `Assignments`, all versions.
        var assignments: [Assignment]? = nil

        /// One element of `Assignments`.
        struct Assignment: Sendable, WireDecodable {
            /// `BrokerIds`, all versions.
            var brokerIDs: [Int32] = []
        }
    }
}

extension CreatePartitionsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topics = try reader.array(of: Topic.self, version: version)
        self.timeoutMs = try reader.int32()
        self.validateOnly = try reader.bool()
        try reader.tags()
    }
}

extension CreatePartitionsRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.count = try reader.int32()
        self.assignments = try reader.nullableArray(of: Assignment.self, version: version)
        try reader.tags()
    }
}

extension CreatePartitionsRequest.Topic.Assignment {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.brokerIDs = try reader.int32Array()
        try reader.tags()
    }
}
