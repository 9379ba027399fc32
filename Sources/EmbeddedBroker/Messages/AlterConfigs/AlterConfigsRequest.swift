/// AlterConfigs request (API 33), versions 0 to 2.
struct AlterConfigsRequest: Sendable, WireDecodable {
    /// `Resources`, all versions.
    var resources: [Resource] = []
    /// `ValidateOnly`, all versions.
    var validateOnly: Bool = false

    /// One element of `Resources`.
    struct Resource: Sendable, WireDecodable {
        /// `ResourceType`, all versions.
        var resourceType: Int8 = 0
        /// `ResourceName`, all versions.
        var resourceName: Name = ""
        /// `Configs`, all versions.
        var configs: [Config] = []

        /// One element of `Configs`.
        struct Config: Sendable, WireDecodable {
            /// `Name`, all versions.
            var name: String = ""
            /// `Value`, all versions.
            var value: String? = nil
        }
    }
}

extension AlterConfigsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.resources = try reader.array(of: Resource.self, version: version)
        self.validateOnly = try reader.bool()
        try reader.tags()
    }
}

extension AlterConfigsRequest.Resource {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.resourceType = try reader.int8()
        self.resourceName = try reader.string()
        self.configs = try reader.array(of: Config.self, version: version)
        try reader.tags()
    }
}

extension AlterConfigsRequest.Resource.Config {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        self.name = try reader.string()
        self.value = try reader.nullableString()
        try reader.tags()
    }
}
