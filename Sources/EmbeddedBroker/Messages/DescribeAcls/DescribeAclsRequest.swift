/// DescribeAcls request (API 29), versions 0 to 3.
struct DescribeAclsRequest: Sendable, WireDecodable {
    /// `ResourceTypeFilter`, all versions.
    var resourceTypeFilter: Int8 = 0
    /// `ResourceNameFilter`, all versions.
    var resourceNameFilter: String? = nil
    /// `PatternTypeFilter`, from version 1.
    var patternTypeFilter: Int8 = 3
    /// `PrincipalFilter`, all versions.
    var principalFilter: String? = nil
    /// `HostFilter`, all versions.
    var hostFilter: String? = nil
    /// `Operation`, all versions.
    var operation: Int8 = 0
    /// `PermissionType`, all versions.
    var permissionType: Int8 = 0
}

extension DescribeAclsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.resourceTypeFilter = try reader.int8()
        self.resourceNameFilter = try reader.nullableString()
        if version >= 1 { self.patternTypeFilter = try reader.int8() }
        self.principalFilter = try reader.nullableString()
        self.hostFilter = try reader.nullableString()
        self.operation = try reader.int8()
        self.permissionType = try reader.int8()
        try reader.tags()
    }
}
