/// Metadata request (API 3), versions 0 to 12.
struct MetadataRequest: Sendable, WireDecodable {
    /// `Topics`, all versions.
    var topics: [Topic]? = nil
    /// `AllowAutoTopicCreation`, from version 4.
    var allowAutoTopicCreation: Bool = true
    /// `IncludeClusterAuthorizedOperations`, versions 8 to 10.
    var includeClusterAuthorizedOperations: Bool = false
    /// `IncludeTopicAuthorizedOperations`, from version 8.
    var includeTopicAuthorizedOperations: Bool = false

    /// One element of `Topics`.
    struct Topic: Sendable, Hashable, WireDecodable {
        /// `TopicId`, from version 10.
        var topicID: TopicID = .zero
        /// `Name`, all versions.
        var name: Name? = nil
    }
}

extension MetadataRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.topics = try reader.nullableArray(of: Topic.self, version: version)
        if version >= 4 { self.allowAutoTopicCreation = try reader.bool() }
        if version >= 8, version <= 10 { self.includeClusterAuthorizedOperations = try reader.bool() }
        if version >= 8 { self.includeTopicAuthorizedOperations = try reader.bool() }
        try reader.tags()
    }
}

extension MetadataRequest.Topic {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 10 { self.topicID = try reader.uuid() }
        self.name = try reader.nullableString()
        try reader.tags()
    }
}
