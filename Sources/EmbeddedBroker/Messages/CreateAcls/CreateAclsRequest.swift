/// CreateAcls request (API 30), versions 0 to 3.
struct CreateAclsRequest: Sendable, WireDecodable {
    /// `Creations`, all versions.
    var creations: [Creation] = []

    /// One element of `Creations`.
    struct Creation: Sendable, WireDecodable {
        /// `ResourceType`, all versions.
        var resourceType: Int8 = 0
        /// `ResourceName`, all versions.
        var resourceName: String = ""
        /// `ResourcePatternType`, from version 1.
        var resourcePatternType: Int8 = 3
        /// `Principal`, all versions.
        var principal: String = ""
        /// `Host`, all versions.
        var host: String = ""
        /// `Operation`, all versions.
        var operation: Int8 = 0
        /// `PermissionType`, all versions.
        var permissionType: Int8 = 0
    }
}

extension CreateAclsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.creations = try reader.array(of: Creation.self, version: version)
        try reader.tags()
    }
}

extension CreateAclsRequest.Creation {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.resourceType = try reader.int8()
        self.resourceName = try reader.string()
        if version >= 1 { self.resourcePatternType = try reader.int8() }
        self.principal = try reader.string()
        self.host = try reader.string()
        self.operation = try reader.int8()
        self.permissionType = try reader.int8()
        try reader.tags()
    }
}
