/// How the records of a batch are compressed, by the number in its attributes.
enum Compression: Int16, Sendable, CaseIterable {
    case none = 0
    /// One gzip member.
    case gzip = 1
    /// Snappy: one block, as librdkafka writes it, or many in the framing of xerial's snappy-java.
    case snappy = 2
    /// One LZ4 frame.
    case lz4 = 3
    /// One Zstandard frame (KIP-110).
    case zstd = 4

    /// The largest window that a Zstandard frame may ask for, as a power of two; the library allocates it.
    ///
    /// Levels up to 19 use 16 MiB; only `--ultra` needs more.
    static let zstdWindowLog: Int32 = 24
}

extension Compression {
    /// The number of bytes that are decompressed at a time.
    private static let pieceBytes = 64 << 10

    /// Decompresses the bytes and hands them to the sink, a piece at a time.
    ///
    /// Memory is bounded, whatever the bytes claim: by one piece and the library's own state (a window of 16 MiB for
    /// Zstandard, two blocks of 4 MiB for LZ4, 32 KiB for gzip). Snappy needs one block, and a block that is larger
    /// than the sink's capacity is not begun. Decompression ends as soon as the sink refuses a piece.
    ///
    /// - Returns: What is wrong, if anything is; trailing bytes are an error.
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
