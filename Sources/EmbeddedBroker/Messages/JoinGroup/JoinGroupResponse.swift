import NIOCore

/// JoinGroup response (API 11), versions 0 to 9.
struct JoinGroupResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 2.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `GenerationId`, all versions.
    var generationID: Int32 = -1
    /// `ProtocolType`, from version 7.
    var protocolType: Name? = nil
    /// `ProtocolName`, all versions.
    var protocolName: Name? = nil
    /// `Leader`, all versions.
    var leader: Name = ""
    /// `SkipAssignment`, from version 9.
    var skipAssignment: Bool = false
    /// `MemberId`, all versions.
    var memberID: Name = ""
    /// `Members`, all versions.
    var members: [Member] = []

    /// One element of `Members`.
    struct Member: Sendable, WireEncodable {
        /// `MemberId`, all versions.
        var memberID: Name = ""
        /// `GroupInstanceId`, from version 5.
        var groupInstanceID: Name? = nil
        /// `Metadata`, all versions.
        var metadata: ByteBuffer = ByteBuffer()
    }
}

extension JoinGroupResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 2 { writer.write(self.throttleTimeMs) }
        writer.write(self.errorCode)
        writer.write(self.generationID)
        if version >= 7 { writer.write(self.protocolType) }
        writer.write(self.protocolName)
        writer.write(self.leader)
        if version >= 9 { writer.write(self.skipAssignment) }
        writer.write(self.memberID)
        writer.array(self.members, version: version)
        writer.tags()
    }
}

extension JoinGroupResponse.Member {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.memberID)
        if version >= 5 { writer.write(self.groupInstanceID) }
        writer.write(self.metadata)
        writer.tags()
    }
}
