/// CreateAcls response (API 30), versions 0 to 3.
struct CreateAclsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `Results`, all versions.
    var results: [Result] = []

    /// One element of `Results`.
    struct Result: Sendable, WireEncodable {
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `ErrorMessage`, all versions.
        var errorMessage: String? = nil
    }
}

extension CreateAclsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.results, version: version)
        writer.tags()
    }
}

extension CreateAclsResponse.Result {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.errorMessage)
        writer.tags()
    }
}
