import NIOCore

/// Keeps what comes out of decompression.
struct CollectingSink: ByteSink {
    /// How many more bytes it takes.
    private(set) var capacity: Int
    /// What has come.
    private(set) var bytes = ByteBuffer()

    /// An empty sink for so many bytes.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Keeps the next piece.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> RecordBatchError? {
        guard bytes.count <= self.capacity else { return .tooLarge }
        self.capacity -= bytes.count
        self.bytes.writeBytes(bytes)
        return nil
    }
}
