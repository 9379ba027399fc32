import NIOCore

/// SyncGroup request (API 14), versions 0 to 5.
struct SyncGroupRequest: Sendable, WireDecodable {
    /// `GroupId`, all versions.
    var groupID: Name = ""
    /// `GenerationId`, all versions.
    var generationID: Int32 = 0
    /// `MemberId`, all versions.
    var memberID: Name = ""
    /// `GroupInstanceId`, from version 3.
    var groupInstanceID: Name? = nil
    /// `ProtocolType`, from version 5.
    var protocolType: Name? = nil
    /// `ProtocolName`, from version 5.
    var protocolName: Name? = nil
    /// `Assignments`, all versions.
    var assignments: [Assignment] = []

    /// One element of `Assignments`.
    struct Assignment: Sendable, WireDecodable {
        /// `MemberId`, all versions.
        var memberID: Name = ""
        /// `Assignment`, all versions.
        var assignment: ByteBuffer = ByteBuffer()
    }
}

extension SyncGroupRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupID = try reader.string()
        self.generationID = try reader.int32()
        self.memberID = try reader.string()
        if version >= 3 { self.groupInstanceID = try reader.nullableString() }
        if version >= 5 { self.protocolType = try reader.nullableString() }
        if version >= 5 { self.protocolName = try reader.nullableString() }
        self.assignments = try reader.array(of: Assignment.self, version: version)
        try reader.tags()
    }
}

extension SyncGroupRequest.Assignment {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.memberID = try reader.string()
        self.assignment = try reader.bytes()
        try reader.tags()
    }
}
