/// ListGroups request (API 16), versions 0 to 4.
struct ListGroupsRequest: Sendable, WireDecodable {
    /// `StatesFilter`, from version 4.
    var statesFilter: [String] = []
}

extension ListGroupsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 4 { self.statesFilter = try reader.stringArray() }
        try reader.tags()
    }
}
