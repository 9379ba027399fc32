import NIOCore

/// DescribeGroups response (API 15), versions 0 to 5.
struct DescribeGroupsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `Groups`, all versions.
    var groups: [Group] = []

    /// One element of `Groups`.
    struct Group: Sendable, WireEncodable {
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `GroupId`, all versions.
        var groupID: Name = ""
        /// `GroupState`, all versions.
        var groupState: String = ""
        /// `ProtocolType`, all versions.
        var protocolType: Name = ""
        /// `ProtocolData`, all versions.
        var protocolData: Name = ""
        /// `Members`, all versions.
        var members: [Member] = []
        /// `AuthorizedOperations`, from version 3.
        var authorizedOperations: Int32 = .min

        /// One element of `Members`.
        struct Member: Sendable, WireEncodable {
            /// `MemberId`, all versions.
            var memberID: Name = ""
            /// `GroupInstanceId`, from version 4.
            var groupInstanceID: Name? = nil
            /// `ClientId`, all versions.
            var clientID: String = ""
            /// `ClientHost`, all versions.
            var clientHost: String = ""
            /// `MemberMetadata`, all versions.
            var memberMetadata: ByteBuffer = ByteBuffer()
            /// `MemberAssignment`, all versions.
            var memberAssignment: ByteBuffer = ByteBuffer()
        }
    }
}

extension DescribeGroupsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.array(self.groups, version: version)
        writer.tags()
    }
}

extension DescribeGroupsResponse.Group {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.groupID)
        writer.write(self.groupState)
        writer.write(self.protocolType)
        writer.write(self.protocolData)
        writer.array(self.members, version: version)
        if version >= 3 { writer.write(self.authorizedOperations) }
        writer.tags()
    }
}

extension DescribeGroupsResponse.Group.Member {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.memberID)
        if version >= 4 { writer.write(self.groupInstanceID) }
        writer.write(self.clientID)
        writer.write(self.clientHost)
        writer.write(self.memberMetadata)
        writer.write(self.memberAssignment)
        writer.tags()
    }
}
