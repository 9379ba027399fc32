/// DescribeAcls response (API 29), versions 0 to 3.
struct DescribeAclsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `ErrorMessage`, all versions.
    var errorMessage: String? = nil
    /// `Resources`, all versions: the broker has none.
    var resources: [Resource] = []

    /// One element of `Resources`.
    struct Resource: Sendable, WireEncodable {
        /// `ResourceType`, all versions.
        var resourceType: Int8 = 0
        /// `ResourceName`, all versions.
        var resourceName: String = ""
        /// `PatternType`, from version 1.
        var patternType: Int8 = 3
        /// `Acls`, all versions.
        var acls: [Acl] = []

        /// One element of `Acls`.
        struct Acl: Sendable, WireEncodable {
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
}

extension DescribeAclsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.write(self.errorCode)
        writer.write(self.errorMessage)
        writer.array(self.resources, version: version)
        writer.tags()
    }
}

extension DescribeAclsResponse.Resource {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.resourceType)
        writer.write(self.resourceName)
        if version >= 1 { writer.write(self.patternType) }
        writer.array(self.acls, version: version)
        writer.tags()
    }
}

extension DescribeAclsResponse.Resource.Acl {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.principal)
        writer.write(self.host)
        writer.write(self.operation)
        writer.write(self.permissionType)
        writer.tags()
    }
}
