/// DescribeGroups request (API 15), versions 0 to 5.
struct DescribeGroupsRequest: Sendable, WireDecodable {
    /// `Groups`, all versions.
    var groups: [Name] = []
    /// `IncludeAuthorizedOperations`, from version 3.
    var includeAuthorizedOperations: Bool = false
}

extension DescribeGroupsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.groups = try reader.stringArray()
        if version >= 3 { self.includeAuthorizedOperations = try reader.bool() }
        try reader.tags()
    }
}
