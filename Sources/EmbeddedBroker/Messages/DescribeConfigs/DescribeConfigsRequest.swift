/// DescribeConfigs request (API 32), versions 0 to 4.
struct DescribeConfigsRequest: Sendable, WireDecodable {
    /// `Resources`, all versions.
    var resources: [Resource] = []
    /// `IncludeSynonyms`, from version 1.
    var includeSynonyms: Bool = false
    /// `IncludeDocumentation`, from version 3.
    var includeDocumentation: Bool = false

    /// One element of `Resources`.
    struct Resource: Sendable, WireDecodable {
        /// `ResourceType`, all versions.
        var resourceType: Int8 = 0
        /// `ResourceName`, all versions.
        var resourceName: Name = ""
        /// `ConfigurationKeys`, all versions.
        var configurationKeys: [String]? = nil
    }
}

extension DescribeConfigsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.resources = try reader.array(of: Resource.self, version: version)
        if version >= 1 { self.includeSynonyms = try reader.bool() }
        if version >= 3 { self.includeDocumentation = try reader.bool() }
        try reader.tags()
    }
}

extension DescribeConfigsRequest.Resource {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.resourceType = try reader.int8()
        self.resourceName = try reader.string()
        self.configurationKeys = try reader.nullableStringArray()
        try reader.tags()
    }
}
