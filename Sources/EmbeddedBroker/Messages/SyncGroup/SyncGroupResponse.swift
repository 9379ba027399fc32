import NIOCore

/// SyncGroup response (API 14), versions 0 to 5.
struct SyncGroupResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, from version 1.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `ProtocolType`, from version 5.
    var protocolType: Name? = nil
    /// `ProtocolName`, from version 5.
    var protocolName: Name? = nil
    /// `Assignment`, all versions.
    var assignment: ByteBuffer = ByteBuffer()
}

extension SyncGroupResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        if version >= 1 { writer.write(self.throttleTimeMs) }
        writer.write(self.errorCode)
        if version >= 5 { writer.write(self.protocolType) }
        if version >= 5 { writer.write(self.protocolName) }
        writer.write(self.assignment)
        writer.tags()
    }
}
