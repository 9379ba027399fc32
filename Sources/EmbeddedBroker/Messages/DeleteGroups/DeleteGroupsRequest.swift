/// DeleteGroups request (API 42), versions 0 to 2.
struct DeleteGroupsRequest: Sendable, WireDecodable {
    /// `GroupsNames`, all versions.
    var groupNames: [Name] = []
}

extension DeleteGroupsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groupNames = try reader.stringArray()
        try reader.tags()
    }
}
