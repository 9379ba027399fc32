/// Takes bytes as they come out of decompression, in pieces of any size.
protocol ByteSink {
    /// How many more bytes it takes.
    var capacity: Int { get }
    /// Takes the next piece; returns why it wants no more, if so.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> RecordBatchError?
}
