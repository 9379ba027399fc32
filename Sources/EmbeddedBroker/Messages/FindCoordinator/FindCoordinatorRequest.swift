/// FindCoordinator request (API 10), versions 0 to 4.
struct FindCoordinatorRequest: Sendable, WireDecodable {
    /// `Key`, up to version 3.
    var key: Name = ""
    /// `KeyType`, from version 1.
    var keyType: Int8 = 0
    /// `CoordinatorKeys`, from version 4.
    var coordinatorKeys: [Name] = []
}

extension FindCoordinatorRequest {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError) {
        self.init()
        if version <= 3 { self.key = try reader.string() }
        if version >= 1 { self.keyType = try reader.int8() }
        if version >= 4 { self.coordinatorKeys = try reader.stringArray() }
        try reader.tags()
    }
}
