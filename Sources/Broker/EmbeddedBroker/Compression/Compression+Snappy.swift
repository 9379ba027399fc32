import CSnappy

extension Compression {
    /// The first bytes of xerial's framing; two version numbers of four bytes follow.
    private static let xerialMagic: [UInt8] = [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]
    private static let xerialHeaderBytes = 16

    /// Reads one block, or xerial's framing of blocks, each after its length in four bytes.
    static func expandSnappy(_ bytes: UnsafeRawBufferPointer, into sink: inout some ByteSink) -> RecordBatchError? {
        guard bytes.starts(with: Self.xerialMagic) else { return Self.expandSnappyBlock(bytes, into: &sink) }
        guard bytes.count > Self.xerialHeaderBytes else { return .invalid }
        var rest = bytes[Self.xerialHeaderBytes...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return .invalid }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard length > 0, length <= rest.count else { return .invalid }
            let block = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
            if let refusal = Self.expandSnappyBlock(block, into: &sink) { return refusal }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    private static func expandSnappyBlock(
        _ block: UnsafeRawBufferPointer,
        into sink: inout some ByteSink
    ) -> RecordBatchError? {
        let start = block.baseAddress?.assumingMemoryBound(to: CChar.self)
        var size = 0
        guard snappy_uncompressed_length(start, block.count, &size) == SNAPPY_OK else { return .invalid }
        guard size <= sink.capacity else { return .tooLarge }
        let expanded = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 1)
        defer { expanded.deallocate() }
        var made = size
        let end = expanded.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard snappy_uncompress(start, block.count, end, &made) == SNAPPY_OK, made == size else { return .invalid }
        return sink.write(UnsafeRawBufferPointer(rebasing: expanded[..<made]))
    }
}
