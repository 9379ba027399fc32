/// ApiVersions request (API 18), versions 0 to 4.
struct ApiVersionsRequest: Sendable, WireDecodable {
    /// `ClientSoftwareName`, from version 3.
    var clientSoftwareName: String = ""
    /// `ClientSoftwareVersion`, from version 3.
    var clientSoftwareVersion: String = ""
}

extension ApiVersionsRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version >= 3 { self.clientSoftwareName = try reader.string() }
        if version >= 3 { self.clientSoftwareVersion = try reader.string() }
        try reader.tags()
    }
}
