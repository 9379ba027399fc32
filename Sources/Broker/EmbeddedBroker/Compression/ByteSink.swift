/// Receives bytes as they are decompressed, in pieces of any size.
protocol ByteSink {
    /// The number of further bytes that it accepts.
    var capacity: Int { get }
    /// Receives the next piece; returns an error if it accepts no more.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> RecordBatchError?
}
