import NIOCore

/// One request as received, without its length.
struct Frame: Sendable {
    /// The bytes; nothing else refers to them.
    var bytes: ByteBuffer
    /// Its share of the memory for requests, until the bytes are released.
    var lease: ByteLease
}
