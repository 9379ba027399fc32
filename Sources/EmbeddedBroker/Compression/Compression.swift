/// How the records of a batch are compressed, by the number in its attributes.
enum Compression: Int16, Sendable, CaseIterable {
    /// Not at all.
    case none = 0
    /// One gzip member.
    case gzip = 1
    /// Snappy: one block, as librdkafka writes it, or many in the framing of xerial's snappy-java.
    case snappy = 2
    /// One LZ4 frame.
    case lz4 = 3
    /// One Zstandard frame (KIP-110).
    case zstd = 4

    /// The largest window that a Zstandard frame may ask for, as a power of two; it is allocated by the library.
    ///
    /// 16 MiB is what levels up to 19 use; only `--ultra` wants more.
    static let zstdWindowLog: Int32 = 24
}

extension Compression {
    /// Bytes that are decompressed in one go.
    private static let pieceBytes = 64 << 10

    /// Hands the bytes to the sink as they were before compression, a piece at a time.
    ///
    /// Memory is bounded whatever the bytes claim: by one piece, the library's own state (a window of 16 MiB for
    /// Zstandard, two blocks of 4 MiB for LZ4, 32 KiB for gzip), and for Snappy by one block, which is not begun when it is
    /// larger than the sink's capacity. What the sink refuses ends the decompression.
    ///
    /// - Returns: What is wrong, if anything is; bytes behind the compressed ones are.
    func expand(_ bytes: UnsafeRawBufferPointer, into sink: inout some ByteSink) -> RecordBatchError? {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return .invalid }
        switch self {
        case .none: return sink.write(bytes)
        case .snappy: return Self.expandSnappy(bytes, into: &sink)
        case .gzip, .lz4, .zstd:
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
            defer { piece.deallocate() }
            switch self {
            case .gzip: return Self.expandGzip(start, bytes.count, through: piece, into: &sink)
            case .lz4: return Self.expandLZ4(start, bytes.count, through: piece, into: &sink)
            case .none, .snappy, .zstd: return Self.expandZstd(start, bytes.count, through: piece, into: &sink)
            }
        }
    }
}
