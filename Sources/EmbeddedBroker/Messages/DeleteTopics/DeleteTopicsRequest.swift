/// DeleteTopics request (API 20), versions 0 to 6.
struct DeleteTopicsRequest: Sendable, WireDecodable {
    /// `Topics`, from version 6.
    var topics: [Topic] = []
    /// `TopicNames`, up to version 5.
    var topicNames: [Name] = []
    /// `TimeoutMs`, all versions.
    var timeoutMs: Int32 = 0

    /// One element of `Topics`.
    struct Topic: Sendable, WireDecodable {
        /// `Name`, from version 6.
        var name: Name? = nil
        /// `TopicId`, from version 6.
        var topicID: TopicID = .zero
    }
}

extension DeleteTopicsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 6 { self.topics = try reader.array(of: Topic.self, version: version) }
        if version <= 5 { self.topicNames = try reader.stringArray() }
        self.timeoutMs = try reader.int32()
        try reader.tags()
    }
}

extension DeleteTopicsRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 6 { self.name = try reader.nullableString() }
        if version >= 6 { self.topicID = try reader.uuid() }
        try reader.tags()
    }
}
