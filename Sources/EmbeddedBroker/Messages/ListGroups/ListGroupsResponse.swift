/// ListGroups response (API 16), versions 0 to 4.
struct ListGroupsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `Groups`, all versions.
    var groups: [Group] = []

    /// One element of `Groups`.
    struct Group: Sendable, WireEncodable {
        /// `GroupId`, all versions.
        var groupID: Name = ""
        /// `ProtocolType`, all versions.
        var protocolType: Name = ""
        /// `GroupState`, from version 4.
        var groupState: String = ""
    }
}

extension ListGroupsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.write(self.errorCode)
        writer.array(self.groups, version: version)
        writer.tags()
    }
}

extension ListGroupsResponse.Group {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.groupID)
        writer.write(self.protocolType)
        if version >= 4 { writer.write(self.groupState) }
        writer.tags()
    }
}
