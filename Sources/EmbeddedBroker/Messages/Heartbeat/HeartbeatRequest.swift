/// Heartbeat request (API 12), versions 0 to 4.
struct HeartbeatRequest: Sendable, WireDecodable {
    /// `GroupId`, all versions.
    var groupID: Name = ""
    /// `GenerationId`, all versions.
    var generationID: Int32 = 0
    /// `MemberId`, all versions.
    var memberID: Name = ""
    /// `GroupInstanceId`, from version 3.
    var groupInstanceID: Name? = nil
}

extension HeartbeatRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupID = try reader.string()
        self.generationID = try reader.int32()
        self.memberID = try reader.string()
        if version >= 3 { self.groupInstanceID = try reader.nullableString() }
        try reader.tags()
    }
}
