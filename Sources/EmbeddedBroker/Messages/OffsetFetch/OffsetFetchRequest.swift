/// OffsetFetch request (API 9), versions 0 to 8.
struct OffsetFetchRequest: Sendable, WireDecodable {
    /// `GroupId`, up to version 7.
    var groupID: Name = ""
    /// `Topics`, up to version 7.
    var topics: [Topic]? = nil
    /// `Groups`, from version 8.
    var groups: [Group] = []
    /// `RequireStable`, from version 7.
    var requireStable: Bool = false

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, up to version 7.
        var name: Name = ""
        /// `PartitionIndexes`, up to version 7.
        var partitionIndexes: [Int32] = []
    }

    /// One element of `Groups`.
    struct Group: Sendable, WireDecodable {
        /// `GroupId`, from version 8.
        var groupID: Name = ""
        /// `Topics`, from version 8.
        var topics: [Topic]? = nil

        /// One element of `Topics`.
        struct Topic: Sendable, WireDecodable {
            /// `Name`, from version 8.
            var name: Name = ""
            /// `PartitionIndexes`, from version 8.
            var partitionIndexes: [Int32] = []
        }
    }
}

extension OffsetFetchRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version <= 7 { self.groupID = try reader.string() }
        if version <= 7 { self.topics = try reader.nullableArray(of: Topic.self, version: version) }
        if version >= 8 { self.groups = try reader.array(of: Group.self, version: version) }
        if version >= 7 { self.requireStable = try reader.bool() }
        try reader.tags()
    }
}

extension OffsetFetchRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version <= 7 { self.name = try reader.string() }
        if version <= 7 { self.partitionIndexes = try reader.int32Array() }
        try reader.tags()
    }
}

extension OffsetFetchRequest.Group {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 8 { self.groupID = try reader.string() }
        if version >= 8 { self.topics = try reader.nullableArray(of: Topic.self, version: version) }
        try reader.tags()
    }
}

extension OffsetFetchRequest.Group.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 8 { self.name = try reader.string() }
        if version >= 8 { self.partitionIndexes = try reader.int32Array() }
        try reader.tags()
    }
}
