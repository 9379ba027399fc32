import NIOCore

/// A response with the fields that its frame needs.
struct ResponseEnvelope: Sendable {
    /// The API of the request that it answers.
    var api: ApiKey
    /// The version of the body.
    var version: Int16
    /// Copied from the request.
    var correlationID: Int32
    var body: any WireEncodable

    /// Appends the frame, its length included.
    func write(to buffer: inout ByteBuffer) {
        let start = buffer.writerIndex
        // Moved out and back in; otherwise the writer would copy the existing content.
        var writer = WireWriter(buffer, isFlexible: self.api.isFlexible(self.version))
        buffer = ByteBuffer()
        writer.write(Int32(0))
        writer.write(self.correlationID)
        // The response header of ApiVersions stays at version 0, so that any client can read it (KIP-511).
        if self.api != .apiVersions { writer.tags() }
        self.body.write(to: &writer, version: self.version)
        buffer = writer.finish()
        buffer.setInteger(Int32(buffer.writerIndex - start - 4), at: start)
    }
}
