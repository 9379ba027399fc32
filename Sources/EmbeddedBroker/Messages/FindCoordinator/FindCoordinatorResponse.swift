/// FindCoordinator response (API 10), versions 0 to 4.
struct FindCoordinatorResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, up to version 3.
    var errorCode: ErrorCode = .none
    /// `ErrorMessage`, versions 1 to 3.
    var errorMessage: String? = nil
    /// `NodeId`, up to version 3.
    var nodeID: Int32 = 0
    /// `Host`, up to version 3.
    var host: String = ""
    /// `Port`, up to version 3.
    var port: Int32 = 0
    /// `Coordinators`, from version 4.
    var coordinators: [Coordinator] = []

    /// One element of `Coordinators`.
    struct Coordinator: Sendable, WireEncodable {
        /// `Key`, from version 4.
        var key: Name = ""
        /// `NodeId`, from version 4.
        var nodeID: Int32 = 0
        /// `Host`, from version 4.
        var host: String = ""
        /// `Port`, from version 4.
        var port: Int32 = 0
        /// `ErrorCode`, from version 4.
        var errorCode: ErrorCode = .none
        /// `ErrorMessage`, from version 4.
        var errorMessage: String? = nil
    }
}

extension FindCoordinatorResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        if version <= 3 { writer.write(self.errorCode) }
        if version >= 1, version <= 3 { writer.write(self.errorMessage) }
        if version <= 3 { writer.write(self.nodeID) }
        if version <= 3 { writer.write(self.host) }
        if version <= 3 { writer.write(self.port) }
        if version >= 4 { writer.array(self.coordinators, version: version) }
        writer.tags()
    }
}

extension FindCoordinatorResponse.Coordinator {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 4 { writer.write(self.key) }
        if version >= 4 { writer.write(self.nodeID) }
        if version >= 4 { writer.write(self.host) }
        if version >= 4 { writer.write(self.port) }
        if version >= 4 { writer.write(self.errorCode) }
        if version >= 4 { writer.write(self.errorMessage) }
        writer.tags()
    }
}
