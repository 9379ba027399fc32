/// IncrementalAlterConfigs response (API 44), versions 0 to 1.
struct IncrementalAlterConfigsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `Responses`, all versions.
    var responses: [Resource] = []

    /// One element of `Responses`.
    struct Resource: Sendable, WireEncodable {
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `ErrorMessage`, all versions.
        var errorMessage: String? = nil
        /// `ResourceType`, all versions.
        var resourceType: Int8 = 0
        /// `ResourceName`, all versions.
        var resourceName: Name = ""
    }
}

extension IncrementalAlterConfigsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.responses, version: version)
        writer.tags()
    }
}

extension IncrementalAlterConfigsResponse.Resource {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.errorMessage)
        writer.write(self.resourceType)
        writer.write(self.resourceName)
        writer.tags()
    }
}
