import NIOCore

/// JoinGroup request (API 11), versions 0 to 9.
struct JoinGroupRequest: Sendable, WireDecodable {
    /// `GroupId`, all versions.
    var groupID: Name = ""
    /// `SessionTimeoutMs`, all versions.
    var sessionTimeoutMs: Int32 = 0
    /// `RebalanceTimeoutMs`, from version 1.
    var rebalanceTimeoutMs: Int32 = -1
    /// `MemberId`, all versions.
    var memberID: Name = ""
    /// `GroupInstanceId`, from version 5.
    var groupInstanceID: Name? = nil
    /// `ProtocolType`, all versions.
    var protocolType: Name = ""
    /// `Protocols`, all versions.
    var protocols: [GroupProtocol] = []
    /// `Reason`, from version 8.
    var reason: String? = nil

    /// One element of `Protocols`.
    struct GroupProtocol: Sendable, WireDecodable {
        /// `Name`, all versions.
        var name: Name = ""
        /// `Metadata`, all versions.
        var metadata: ByteBuffer = ByteBuffer()
    }
}

extension JoinGroupRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupID = try reader.string()
        self.sessionTimeoutMs = try reader.int32()
        if version >= 1 { self.rebalanceTimeoutMs = try reader.int32() }
        self.memberID = try reader.string()
        if version >= 5 { self.groupInstanceID = try reader.nullableString() }
        self.protocolType = try reader.string()
        self.protocols = try reader.array(of: GroupProtocol.self, version: version)
        if version >= 8 { self.reason = try reader.nullableString() }
        try reader.tags()
    }
}

extension JoinGroupRequest.GroupProtocol {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.metadata = try reader.bytes()
        try reader.tags()
    }
}
