import NIOCore

/// Reads the protocol's primitive types from one frame.
///
/// No length is trusted before it has been compared with the bytes that are left.
struct WireReader {
    /// The rest of the frame.
    private(set) var buffer: ByteBuffer
    /// Whether lengths are compact and structures end in tagged fields (KIP-482).
    var isFlexible: Bool
    /// The number of array elements that the frame may still name.
    private var elementsLeft = WireReader.maxElements

    /// The largest number of elements of all arrays of a frame together; a byte of a frame can become many in memory.
    static let maxElements = 100_000

    /// Starts at the buffer's reader index.
    init(_ buffer: ByteBuffer, isFlexible: Bool) {
        self.buffer = buffer
        self.isFlexible = isFlexible
    }

    /// Bytes that have not been read.
    var remaining: Int { self.buffer.readableBytes }

    /// Reads a big-endian integer.
    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws(WireError) -> Value {
        guard let value = self.buffer.readInteger(as: Value.self) else { throw .truncated }
        return value
    }

    mutating func int8() throws(WireError) -> Int8 { try self.integer(Int8.self) }
    mutating func int16() throws(WireError) -> Int16 { try self.integer(Int16.self) }
    mutating func int32() throws(WireError) -> Int32 { try self.integer(Int32.self) }
    mutating func int64() throws(WireError) -> Int64 { try self.integer(Int64.self) }
    /// Reads a `boolean`; everything but zero is true.
    mutating func bool() throws(WireError) -> Bool { try self.integer(UInt8.self) != 0 }
    mutating func errorCode() throws(WireError) -> ErrorCode { ErrorCode(rawValue: try self.int16()) }

    mutating func uuid() throws(WireError) -> TopicID {
        TopicID(high: try self.integer(UInt64.self), low: try self.integer(UInt64.self))
    }

    mutating func unsignedVarint() throws(WireError) -> UInt32 {
        var value: UInt32 = 0
        for shift in stride(from: UInt32(0), through: 28, by: 7) {
            let byte = try self.integer(UInt8.self)
            value |= UInt32(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .invalidLength
    }

    /// Reads the length of a string; nil is null.
    private mutating func stringLength() throws(WireError) -> Int? {
        if self.isFlexible { return try self.compactLength() }
        return try self.checked(Int(try self.int16()))
    }

    /// Reads the length of bytes or of an array; nil is null.
    private mutating func longLength() throws(WireError) -> Int? {
        if self.isFlexible { return try self.compactLength() }
        return try self.checked(Int(try self.int32()))
    }

    private mutating func compactLength() throws(WireError) -> Int? {
        try self.checked(Int(try self.unsignedVarint()) - 1)
    }

    /// Every element takes at least a byte, so no count may exceed the number of bytes left.
    private func checked(_ length: Int) throws(WireError) -> Int? {
        if length == -1 { return nil }
        guard length >= 0, length <= self.remaining else { throw .invalidLength }
        return length
    }

    /// Reads the number of elements of an array; nil is null.
    private mutating func elementCount() throws(WireError) -> Int? {
        guard let count = try self.longLength() else { return nil }
        guard count <= self.elementsLeft else { throw .tooManyElements }
        self.elementsLeft -= count
        return count
    }

    /// Reads a string that may be null.
    mutating func nullableString() throws(WireError) -> String? {
        guard let length = try self.stringLength() else { return nil }
        guard length <= Int(Int16.max) else { throw .invalidLength }
        guard let bytes = self.buffer.readSlice(length: length) else { throw .truncated }
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else { throw .invalidText }
        return text
    }

    /// Reads a name that may be null.
    mutating func nullableString() throws(WireError) -> Name? {
        let text: String? = try self.nullableString()
        return text.map { Name($0) }
    }

    mutating func string() throws(WireError) -> Name {
        Name(try self.string())
    }

    mutating func string() throws(WireError) -> String {
        let text: String? = try self.nullableString()
        guard let text else { throw .invalidLength }
        return text
    }

    /// Reads bytes that may be null, as a slice of the frame.
    mutating func nullableBytes() throws(WireError) -> ByteBuffer? {
        guard let length = try self.longLength() else { return nil }
        guard let bytes = self.buffer.readSlice(length: length) else { throw .truncated }
        return bytes
    }

    /// Reads bytes as a slice of the frame.
    mutating func bytes() throws(WireError) -> ByteBuffer {
        guard let bytes = try self.nullableBytes() else { throw .invalidLength }
        return bytes
    }

    /// Reads an array of structures that may be null.
    mutating func nullableArray<Element: WireDecodable>(
        of _: Element.Type,
        version: Int16
    ) throws(WireError) -> [Element]? {
        guard let count = try self.elementCount() else { return nil }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try Element(from: &self, version: version)) }
        return elements
    }

    /// Reads an array of structures; null reads as empty.
    mutating func array<Element: WireDecodable>(of _: Element.Type, version: Int16) throws(WireError) -> [Element] {
        try self.nullableArray(of: Element.self, version: version) ?? []
    }

    /// Reads an array of strings that may be null.
    mutating func nullableStringArray() throws(WireError) -> [String]? {
        guard let count = try self.elementCount() else { return nil }
        var elements: [String] = []
        for _ in 0..<count { elements.append(try self.string()) }
        return elements
    }

    /// Reads an array of strings; null reads as empty.
    mutating func stringArray() throws(WireError) -> [String] {
        try self.nullableStringArray() ?? []
    }

    /// Reads an array of names; null reads as empty.
    mutating func stringArray() throws(WireError) -> [Name] {
        try self.stringArray().map { (text: String) in Name(text) }
    }

    /// Reads an array of `int32`; null reads as empty.
    mutating func int32Array() throws(WireError) -> [Int32] {
        guard let count = try self.elementCount() else { return [] }
        var elements: [Int32] = []
        for _ in 0..<count { elements.append(try self.int32()) }
        return elements
    }

    /// Reads an array of `int64`; null reads as empty.
    mutating func int64Array() throws(WireError) -> [Int64] {
        guard let count = try self.elementCount() else { return [] }
        var elements: [Int64] = []
        for _ in 0..<count { elements.append(try self.int64()) }
        return elements
    }

    /// Skips the tagged fields at the end of a structure; the broker needs none of them.
    mutating func tags() throws(WireError) {
        guard self.isFlexible else { return }
        for _ in 0..<(try self.unsignedVarint()) {
            _ = try self.unsignedVarint()
            let length = Int(try self.unsignedVarint())
            guard length <= self.remaining else { throw .invalidLength }
            self.buffer.moveReaderIndex(forwardBy: length)
        }
    }
}

/// A part of a message that can be read from the wire.
protocol WireDecodable {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError)
}
