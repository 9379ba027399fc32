/// LeaveGroup request (API 13), versions 0 to 5.
struct LeaveGroupRequest: Sendable, WireDecodable {
    /// `GroupId`, all versions.
    var groupID: Name = ""
    /// `MemberId`, up to version 2.
    var memberID: Name = ""
    /// `Members`, from version 3.
    var members: [Member] = []

    /// One element of `Members`.
    struct Member: Sendable, WireDecodable {
        /// `MemberId`, from version 3.
        var memberID: Name = ""
        /// `GroupInstanceId`, from version 3.
        var groupInstanceID: Name? = nil
        /// `Reason`, from version 5.
        var reason: String? = nil
    }
}

extension LeaveGroupRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupID = try reader.string()
        if version <= 2 { self.memberID = try reader.string() }
        if version >= 3 { self.members = try reader.array(of: Member.self, version: version) }
        try reader.tags()
    }
}

extension LeaveGroupRequest.Member {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 3 { self.memberID = try reader.string() }
        if version >= 3 { self.groupInstanceID = try reader.nullableString() }
        if version >= 5 { self.reason = try reader.nullableString() }
        try reader.tags()
    }
}
