import NIOCore

/// One request as it came, without its length.
struct Frame: Sendable {
    /// The bytes; nobody else refers to them.
    var bytes: ByteBuffer
    /// What they take of the memory for requests, until they are gone.
    var lease: ByteLease
}
