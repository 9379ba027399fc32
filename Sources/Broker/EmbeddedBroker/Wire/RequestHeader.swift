import NIOCore

/// The header before the body of every request (request header versions 1 and 2).
struct RequestHeader: Sendable, Equatable {
    var api: ApiKey
    /// The version of the body.
    var version: Int16
    /// Returned with the response.
    var correlationID: Int32
    /// The name that the client gives itself.
    var clientID: String?

    /// Reads the header and leaves the reader at the body.
    ///
    /// An unknown version of ApiVersions does not throw: the response tells the client (KIP-35).
    init(from reader: inout WireReader) throws(WireError) {
        let key = try reader.int16()
        let version = try reader.int16()
        guard let api = ApiKey(rawValue: key) else { throw .unknownAPI(key) }
        self.api = api
        self.version = version
        self.correlationID = try reader.int32()
        guard api.versions.contains(version) else {
            if api == .apiVersions { return }
            throw .unsupportedVersion(api: api, version: version)
        }
        reader.isFlexible = false
        self.clientID = try reader.nullableString()
        reader.isFlexible = api.isFlexible(version)
        try reader.tags()
    }
}
