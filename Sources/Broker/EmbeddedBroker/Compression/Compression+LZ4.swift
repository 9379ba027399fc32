import CLZ4

extension Compression {
    /// Reads one LZ4 frame, which must end where the bytes end.
    static func expandLZ4(
        _ start: UnsafeRawPointer,
        _ count: Int,
        through piece: UnsafeMutableRawBufferPointer,
        into sink: inout some ByteSink
    ) -> RecordBatchError? {
        var context: OpaquePointer?
        guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0 else {
            return .invalid
        }
        defer { LZ4F_freeDecompressionContext(context) }
        var position = 0
        while true {
            var made = piece.count
            var used = count - position
            let wanted = LZ4F_decompress(context, piece.baseAddress, &made, start + position, &used, nil)
            guard LZ4F_isError(wanted) == 0 else { return .invalid }
            position += used
            if let refusal = sink.write(UnsafeRawBufferPointer(rebasing: piece[..<made])) { return refusal }
            if wanted == 0 { return position == count ? nil : .invalid }
            // The bytes end before the frame does.
            if made == 0, used == 0 { return .invalid }
        }
    }
}
