/// LeaveGroup response (API 13), versions 0 to 5.
struct LeaveGroupResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `Members`, from version 3.
    var members: [Member] = []

    /// One element of `Members`.
    struct Member: Sendable, WireEncodable {
        /// `MemberId`, from version 3.
        var memberID: Name = ""
        /// `GroupInstanceId`, from version 3.
        var groupInstanceID: Name? = nil
        /// `ErrorCode`, from version 3.
        var errorCode: ErrorCode = .none
    }
}

extension LeaveGroupResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.write(self.errorCode)
        if version >= 3 { writer.array(self.members, version: version) }
        writer.tags()
    }
}

extension LeaveGroupResponse.Member {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 3 { writer.write(self.memberID) }
        if version >= 3 { writer.write(self.groupInstanceID) }
        if version >= 3 { writer.write(self.errorCode) }
        writer.tags()
    }
}
