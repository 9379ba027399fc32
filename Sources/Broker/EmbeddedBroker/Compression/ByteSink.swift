import NIOCore

/// Receives bytes as they are decompressed, in pieces of any size.
protocol ByteSink {
    /// The number of further bytes that it accepts.
    var capacity: Int { get }
    /// Receives the next piece; returns an error if it accepts no more.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> RecordBatchError?
}

/// Collects decompressed bytes.
struct CollectingSink: ByteSink {
    /// The number of further bytes that it accepts.
    private(set) var capacity: Int
    private(set) var bytes = ByteBuffer()

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) -> RecordBatchError? {
        guard bytes.count <= self.capacity else { return .tooLarge }
        self.capacity -= bytes.count
        self.bytes.writeBytes(bytes)
        return nil
    }
}
