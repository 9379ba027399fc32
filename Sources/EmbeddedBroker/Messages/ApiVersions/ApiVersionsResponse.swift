/// ApiVersions response (API 18), versions 0 to 4.
struct ApiVersionsResponse: Sendable, WireEncodable {
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `ApiKeys`, all versions.
    var apiKeys: [Api] = []
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0

    /// One element of `ApiKeys`.
    struct Api: Sendable, WireEncodable {
        /// `ApiKey`, all versions.
        var apiKey: Int16 = 0
        /// `MinVersion`, all versions.
        var minVersion: Int16 = 0
        /// `MaxVersion`, all versions.
        var maxVersion: Int16 = 0
    }
}

extension ApiVersionsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.array(self.apiKeys, version: version)
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.tags()
    }
}

extension ApiVersionsResponse.Api {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.apiKey)
        writer.write(self.minVersion)
        writer.write(self.maxVersion)
        writer.tags()
    }
}
