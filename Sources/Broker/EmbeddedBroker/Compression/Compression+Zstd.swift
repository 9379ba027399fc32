import CZstd

extension Compression {
    /// Reads one Zstandard frame, which must end where the bytes end.
    static func expandZstd(
        _ start: UnsafeRawPointer,
        _ count: Int,
        through piece: UnsafeMutableRawBufferPointer,
        into sink: inout some ByteSink
    ) -> RecordBatchError? {
        guard let context = ZSTD_createDStream() else { return .invalid }
        defer { ZSTD_freeDStream(context) }
        guard ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.zstdWindowLog)) == 0 else {
            return .invalid
        }
        // The two largest numbers mean that the frame does not state its size, or that there is no frame.
        let contentSize = ZSTD_getFrameContentSize(start, count)
        if contentSize < UInt64.max - 1, contentSize > UInt64(max(0, sink.capacity)) { return .tooLarge }
        var input = ZSTD_inBuffer(src: start, size: count, pos: 0)
        while true {
            var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let wanted = ZSTD_decompressStream(context, &output, &input)
            guard ZSTD_isError(wanted) == 0 else { return .invalid }
            if let refusal = sink.write(UnsafeRawBufferPointer(rebasing: piece[..<output.pos])) { return refusal }
            if wanted == 0 { return input.pos == input.size ? nil : .invalid }
            // There was room for more output, but the bytes end before the frame does.
            if input.pos == input.size, output.pos < output.size { return .invalid }
        }
    }
}
