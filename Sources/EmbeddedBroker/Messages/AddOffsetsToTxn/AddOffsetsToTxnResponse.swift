/// AddOffsetsToTxn response (API 25), versions 0 to 3.
struct AddOffsetsToTxnResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
}

extension AddOffsetsToTxnResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.write(self.errorCode)
        writer.tags()
    }
}
