#if DEBUG || FUZZING
import CLZ4
import CSnappy
import CZlib
import CZstd
import NIOCore

@testable import EmbeddedBroker

/// The compressions that producers use, by the same libraries.
enum MadeCompression: CaseIterable {
    case none
    case gzip
    /// As librdkafka writes it.
    case snappy
    /// As Java and Python write it.
    case xerialSnappy
    case lz4
    case zstd

    /// The number in the batch's attributes.
    var number: Int16 {
        switch self {
        case .none: 0
        case .gzip: 1
        case .snappy, .xerialSnappy: 2
        case .lz4: 3
        case .zstd: 4
        }
    }

    /// Compresses the bytes.
    func compress(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .none: bytes
        case .gzip: Self.gzip(bytes)
        case .snappy: Self.snappyBlock(bytes)
        case .xerialSnappy: Self.xerial(bytes)
        case .lz4:
            Self.filled(LZ4F_compressFrameBound(bytes.count, nil)) {
                LZ4F_compressFrame($0, $1, bytes, bytes.count, nil)
            }
        case .zstd: Self.filled(ZSTD_compressBound(bytes.count)) { ZSTD_compress($0, $1, bytes, bytes.count, 3) }
        }
    }

    private static func filled(_ bound: Int, _ body: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8] {
        Array(unsafeUninitializedCapacity: bound) { $1 = body($0.baseAddress, bound) }
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        _ = intentd_gzip_deflate_init(stream, 6)
        defer { deflateEnd(stream) }
        let bound = Int(deflateBound(stream, UInt(bytes.count)))
        return bytes.withUnsafeBufferPointer { input in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return Array(unsafeUninitializedCapacity: bound) { output, count in
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(bound)
                _ = deflate(stream, Z_FINISH)
                count = bound - Int(stream.pointee.avail_out)
            }
        }
    }

    private static func snappyBlock(_ bytes: [UInt8]) -> [UInt8] {
        self.filled(snappy_max_compressed_length(bytes.count)) { output, bound in
            var count = bound
            _ = bytes.withUnsafeBytes { input in
                snappy_compress(
                    input.baseAddress?.assumingMemoryBound(to: CChar.self),
                    input.count,
                    output?.assumingMemoryBound(to: CChar.self),
                    &count
                )
            }
            return count
        }
    }

    private static func xerial(_ bytes: [UInt8]) -> [UInt8] {
        var framed: [UInt8] = [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        for start in stride(from: 0, to: bytes.count, by: 32 << 10) {
            let block = self.snappyBlock(Array(bytes[start..<min(start + 32 << 10, bytes.count)]))
            framed += withUnsafeBytes(of: UInt32(block.count).bigEndian, Array.init) + block
        }
        return framed
    }
}

extension RecordBatch {
    /// The same batch with its records compressed.
    ///
    /// `change` may damage the records before compression; `spoil` may damage the bytes after it.
    static func compressed(
        _ batch: ByteBuffer,
        _ compression: MadeCompression,
        change: (inout [UInt8]) -> Void = { _ in },
        spoil: (inout [UInt8]) -> Void = { _ in }
    ) -> ByteBuffer {
        var records = Array(batch.readableBytesView.dropFirst(RecordBatchHeader.size))
        change(&records)
        var bytes = compression.compress(records)
        spoil(&bytes)
        var made = ByteBuffer(bytes: batch.readableBytesView.prefix(RecordBatchHeader.size))
        let attributes = made.getInteger(at: 21, as: Int16.self) ?? 0
        made.setInteger(attributes & ~7 | compression.number, at: 21)
        made.writeBytes(bytes)
        return self.mended(made)
    }

    /// The batch with correct length and checksum.
    static func mended(_ batch: ByteBuffer) -> ByteBuffer {
        var mended = batch
        mended.setInteger(Int32(mended.readableBytes - RecordBatchHeader.lengthOverhead), at: 8)
        mended.setInteger(Self.checksum(of: mended), at: 17)
        return mended
    }
}
#endif
