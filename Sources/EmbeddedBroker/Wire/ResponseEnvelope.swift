import NIOCore

/// A response with what its frame needs besides.
struct ResponseEnvelope: Sendable {
    /// Which request it answers.
    var api: ApiKey
    /// The version of the body.
    var version: Int16
    /// Taken from the request.
    var correlationID: Int32
    /// The body.
    var body: any WireEncodable

    /// Makes the frame, its length included.
    func frame(allocator: ByteBufferAllocator) -> ByteBuffer {
        var writer = WireWriter(allocator.buffer(capacity: 256), isFlexible: self.api.isFlexible(self.version))
        writer.write(Int32(0))
        writer.write(self.correlationID)
        // The response header of ApiVersions stays at version 0, so that any client can read it (KIP-511).
        if self.api != .apiVersions { writer.tags() }
        self.body.write(to: &writer, version: self.version)
        var frame = writer.buffer
        frame.setInteger(Int32(frame.readableBytes - 4), at: frame.readerIndex)
        return frame
    }
}
