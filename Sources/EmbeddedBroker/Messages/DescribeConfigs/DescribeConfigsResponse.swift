/// DescribeConfigs response (API 32), versions 0 to 4.
struct DescribeConfigsResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `Results`, all versions.
    var results: [Result] = []

    /// One element of `Results`.
    struct Result: Sendable, WireEncodable {
        /// `ErrorCode`, all versions.
        var errorCode: ErrorCode = .none
        /// `ErrorMessage`, all versions.
        var errorMessage: String? = nil
        /// `ResourceType`, all versions.
        var resourceType: Int8 = 0
        /// `ResourceName`, all versions.
        var resourceName: Name = ""
        /// `Configs`, all versions.
        var configs: [Config] = []

        /// One element of `Configs`.
        struct Config: Sendable, WireEncodable {
            /// `Name`, all versions.
            var name: String = ""
            /// `Value`, all versions.
            var value: String? = nil
            /// `ReadOnly`, all versions.
            var readOnly: Bool = false
            /// `IsDefault`, up to version 0.
            var isDefault: Bool = false
            /// `ConfigSource`, from version 1.
            var configSource: Int8 = -1
            /// `IsSensitive`, all versions.
            var isSensitive: Bool = false
            /// `Synonyms`, from version 1.
            var synonyms: [Synonym] = []
            /// `ConfigType`, from version 3.
            var configType: Int8 = 0
            /// `Documentation`, from version 3.
            var documentation: String? = nil

            /// One element of `Synonyms`.
            struct Synonym: Sendable, WireEncodable {
                /// `Name`, from version 1.
                var name: String = ""
                /// `Value`, from version 1.
                var value: String? = nil
                /// `Source`, from version 1.
                var source: Int8 = 0
            }
        }
    }
}

extension DescribeConfigsResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.array(self.results, version: version)
        writer.tags()
    }
}

extension DescribeConfigsResponse.Result {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.errorCode)
        writer.write(self.errorMessage)
        writer.write(self.resourceType)
        writer.write(self.resourceName)
        writer.array(self.configs, version: version)
        writer.tags()
    }
}

extension DescribeConfigsResponse.Result.Config {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.name)
        writer.write(self.value)
        writer.write(self.readOnly)
        if version <= 0 { writer.write(self.isDefault) }
        if version >= 1 { writer.write(self.configSource) }
        writer.write(self.isSensitive)
        if version >= 1 { writer.array(self.synonyms, version: version) }
        if version >= 3 { writer.write(self.configType) }
        if version >= 3 { writer.write(self.documentation) }
        writer.tags()
    }
}

extension DescribeConfigsResponse.Result.Config.Synonym {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.name) }
        if version >= 1 { writer.write(self.value) }
        if version >= 1 { writer.write(self.source) }
        writer.tags()
    }
}
