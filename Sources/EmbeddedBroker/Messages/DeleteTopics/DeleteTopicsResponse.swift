/// DeleteTopics response (API 20), versions 0 to 6.
struct DeleteTopicsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `Responses`, all versions.
    var responses: [Topic] = []

    /// One element of `Responses`.
    struct Topic: Sendable, WireEncodable {
        /// `Name`, all versions.
        var name: Name? = nil
        /// `TopicId`, from version 6.
        var topicID: TopicID = .zero
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `ErrorMessage`, from version 5.
        var errorMessage: String? = nil
    }
}

extension DeleteTopicsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.array(self.responses, version: version)
        writer.tags()
    }
}

extension DeleteTopicsResponse.Topic {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        if version >= 6 { writer.write(self.topicID) }
        writer.write(self.errorCode)
        if version >= 5 { writer.write(self.errorMessage) }
        writer.tags()
    }
}
