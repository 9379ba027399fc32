/// Writes a message in the wire format of Protocol Buffers.
///
/// Fields that have their default are not written: readers fill them in.
struct ProtobufWriter {
    /// How a field's value is written.
    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case bytes = 2
        case fixed32 = 5
    }

    /// The message so far.
    private(set) var bytes: [UInt8] = []

    private mutating func write(varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            self.bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        self.bytes.append(UInt8(rest))
    }

    private mutating func write(tag field: Int, _ type: WireType) {
        self.write(varint: UInt64(field) << 3 | type.rawValue)
    }

    /// Writes a number, a flag or a case.
    mutating func varint(_ field: Int, _ value: UInt64) {
        self.write(tag: field, .varint)
        self.write(varint: value)
    }

    mutating func fixed64(_ field: Int, _ value: UInt64) {
        self.write(tag: field, .fixed64)
        withUnsafeBytes(of: value.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    mutating func fixed32(_ field: Int, _ value: UInt32) {
        self.write(tag: field, .fixed32)
        withUnsafeBytes(of: value.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    mutating func data(_ field: Int, _ value: some Collection<UInt8>) {
        self.write(tag: field, .bytes)
        self.write(varint: UInt64(value.count))
        self.bytes.append(contentsOf: value)
    }

    mutating func text(_ field: Int, _ value: String) { self.data(field, value.utf8) }

    /// Writes a message in this one.
    mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        write(&inner)
        self.data(field, inner.bytes)
    }
}
