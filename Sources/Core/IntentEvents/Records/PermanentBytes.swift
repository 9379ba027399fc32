/// Bytes for the rest of the process's life, which all threads read.
///
/// No reference to them is counted: counts of an array that all threads append from, several times for each record, would
/// move from core to core.
///
/// Sendable although a pointer is not: the bytes are never changed, and never freed.
struct PermanentBytes: @unchecked Sendable {
    let buffer: UnsafeBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(fromContentsOf: bytes)
        self.buffer = UnsafeBufferPointer(copy)
    }
}
