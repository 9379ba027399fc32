import CZlib

extension Compression {
    /// Reads one gzip member, which must end where the bytes end.
    static func expandGzip(
        _ start: UnsafeRawPointer,
        _ count: Int,
        through piece: UnsafeMutableRawBufferPointer,
        into sink: inout some ByteSink
    ) -> RecordBatchError? {
        // zlib keeps a pointer to the stream, so it must not move in memory.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard intentd_gzip_inflate_init(stream) == Z_OK, let size = UInt32(exactly: count) else { return .invalid }
        defer { inflateEnd(stream) }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = size
        while true {
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            // Without progress, `inflate` returns Z_BUF_ERROR: the bytes end before the member does.
            let result = inflate(stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_STREAM_END else { return .invalid }
            let made = piece.count - Int(stream.pointee.avail_out)
            if let refusal = sink.write(UnsafeRawBufferPointer(rebasing: piece[..<made])) { return refusal }
            if result == Z_STREAM_END { return stream.pointee.avail_in == 0 ? nil : .invalid }
        }
    }
}
