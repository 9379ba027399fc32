/// DescribeCluster request (API 60), versions 0 to 1.
struct DescribeClusterRequest: Sendable, WireDecodable {
    /// `IncludeClusterAuthorizedOperations`, all versions.
    var includeClusterAuthorizedOperations: Bool = false
    /// `EndpointType`, from version 1.
    var endpointType: Int8 = 1
}

extension DescribeClusterRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.includeClusterAuthorizedOperations = try reader.bool()
        if version >= 1 { self.endpointType = try reader.int8() }
        try reader.tags()
    }
}
