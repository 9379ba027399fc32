#if DEBUG || FUZZING
import NIOCore

@testable import EmbeddedBroker

/// A request as a client writes it, without the length before it.
struct RequestFrame {
    /// The API of the request.
    var api: ApiKey
    /// The version of the body.
    var version: Int16
    /// Returned with the response.
    var correlationID: Int32 = 1
    /// The name that the client gives itself.
    var clientID: String? = "test"

    /// The header's bytes, and a writer for what follows.
    private var header: WireWriter {
        var writer = WireWriter(ByteBuffer(), isFlexible: false)
        writer.write(self.api.rawValue)
        writer.write(self.version)
        writer.write(self.correlationID)
        writer.write(self.clientID)
        writer.isFlexible = self.api.isFlexible(self.version)
        writer.tags()
        return writer
    }

    /// The bytes with this body.
    func bytes(_ body: any WireEncodable) -> ByteBuffer {
        var writer = self.header
        body.write(to: &writer, version: self.version)
        return writer.buffer
    }

    /// The bytes with a body that is bytes already.
    func bytes(raw body: [UInt8]) -> ByteBuffer {
        var bytes = self.header.buffer
        bytes.writeBytes(body)
        return bytes
    }
}
#endif
