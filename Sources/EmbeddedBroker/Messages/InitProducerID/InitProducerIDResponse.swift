/// InitProducerId response (API 22), versions 0 to 4.
struct InitProducerIDResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `ProducerId`, all versions.
    var producerID: Int64 = -1
    /// `ProducerEpoch`, all versions.
    var producerEpoch: Int16 = 0
}

extension InitProducerIDResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.write(self.errorCode)
        writer.write(self.producerID)
        writer.write(self.producerEpoch)
        writer.tags()
    }
}
