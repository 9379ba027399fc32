/// DeleteGroups response (API 42), versions 0 to 2.
struct DeleteGroupsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `Results`, all versions.
    var results: [Result] = []

    /// One element of `Results`.
    struct Result: Sendable, WireEncodable {
        /// `GroupId`, all versions.
        var groupID: Name = ""
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
    }
}

extension DeleteGroupsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.results, version: version)
        writer.tags()
    }
}

extension DeleteGroupsResponse.Result {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.write(self.errorCode)
        writer.tags()
    }
}
