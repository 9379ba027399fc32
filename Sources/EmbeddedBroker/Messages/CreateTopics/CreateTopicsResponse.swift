/// CreateTopics response (API 19), versions 0 to 7.
struct CreateTopicsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 2.
    var throttleTimeMs: Int32 = 0
    /// `Topics`, all versions.
    var topics: [Topic] = []

    /// One element of `Topics`.
    struct Topic: Sendable, WireEncodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `TopicId`, from version 7.
        var topicID: TopicID = .zero
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `ErrorMessage`, from version 1.
        var errorMessage: String? = nil
        /// `NumPartitions`, from version 5.
        var numPartitions: Int32 = -1
        /// `ReplicationFactor`, from version 5.
        var replicationFactor: Int16 = -1
        /// `Configs`, from version 5.
        var configs: [Config]? = nil

        /// One element of `Configs`.
        struct Config: Sendable, WireEncodable {
            /// `Name`, from version 5.
            var name: String = ""
            /// `Value`, from version 5.
            var value: String? = nil
            /// `ReadOnly`, from version 5.
            var readOnly: Bool = false
            /// `ConfigSource`, from version 5.
            var configSource: Int8 = -1
            /// `IsSensitive`, from version 5.
            var isSensitive: Bool = false
        }
    }
}

extension CreateTopicsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 2 { writer.write(self.throttleTimeMs) }
        writer.array(self.topics, version: version)
        writer.tags()
    }
}

extension CreateTopicsResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        if version >= 7 { writer.write(self.topicID) }
        writer.write(self.errorCode)
        if version >= 1 { writer.write(self.errorMessage) }
        if version >= 5 { writer.write(self.numPartitions) }
        if version >= 5 { writer.write(self.replicationFactor) }
        if version >= 5 { writer.array(self.configs, version: version) }
        writer.tags()
    }
}

extension CreateTopicsResponse.Topic.Config {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 5 { writer.write(self.name) }
        if version >= 5 { writer.write(self.value) }
        if version >= 5 { writer.write(self.readOnly) }
        if version >= 5 { writer.write(self.configSource) }
        if version >= 5 { writer.write(self.isSensitive) }
        writer.tags()
    }
}
