import NIOCore

/// Writes the protocol's primitive types.
struct WireWriter {
    /// What has been written.
    private(set) var buffer: ByteBuffer
    /// Whether lengths are compact and structures end in tagged fields (KIP-482).
    var isFlexible: Bool

    init(_ buffer: ByteBuffer, isFlexible: Bool) {
        self.buffer = buffer
        self.isFlexible = isFlexible
    }

    /// Returns what has been written, without a copy.
    consuming func finish() -> ByteBuffer {
        self.buffer
    }

    /// Writes a big-endian integer.
    mutating func write(_ value: some FixedWidthInteger) {
        self.buffer.writeInteger(value)
    }

    mutating func write(_ value: Bool) {
        self.buffer.writeInteger(value ? 1 : 0, as: UInt8.self)
    }

    mutating func write(_ value: ErrorCode) {
        self.buffer.writeInteger(value.rawValue)
    }

    mutating func write(_ value: TopicID) {
        self.buffer.writeInteger(value.high)
        self.buffer.writeInteger(value.low)
    }

    mutating func writeUnsignedVarint(_ value: UInt32) {
        var rest = value
        while rest >= 0x80 {
            self.buffer.writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        self.buffer.writeInteger(UInt8(rest))
    }

    /// Writes a string; nil is null.
    mutating func write(_ value: String?) {
        if self.isFlexible {
            self.writeUnsignedVarint(value.map { UInt32($0.utf8.count) + 1 } ?? 0)
        } else {
            self.buffer.writeInteger(value.map { Int16(clamping: $0.utf8.count) } ?? -1)
        }
        if let value {
            self.buffer.writeBytes(self.isFlexible ? value.utf8.prefix(.max) : value.utf8.prefix(Int(Int16.max)))
        }
    }

    /// Writes a name; nil is null.
    mutating func write(_ value: Name?) {
        self.write(value?.text)
    }

    /// Writes bytes; nil is null.
    mutating func write(_ value: ByteBuffer?) {
        self.writeLength(value?.readableBytes)
        if let value { self.buffer.writeImmutableBuffer(value) }
    }

    /// Writes record batches one after the other as one field.
    mutating func recordSet(_ batches: [ByteBuffer]) {
        self.writeLength(batches.reduce(0) { $0 + $1.readableBytes })
        for batch in batches { self.buffer.writeImmutableBuffer(batch) }
    }

    /// Writes an array of structures; nil is null.
    mutating func array(_ elements: [some WireEncodable]?, version: Int16) {
        self.writeLength(elements?.count)
        for element in elements ?? [] { element.write(to: &self, version: version) }
    }

    /// Writes an array of strings; nil is null.
    mutating func write(_ elements: [String]?) {
        self.writeLength(elements?.count)
        for element in elements ?? [] { self.write(element) }
    }

    /// Writes an array of names; nil is null.
    mutating func write(_ elements: [Name]?) {
        self.writeLength(elements?.count)
        for element in elements ?? [] { self.write(element) }
    }

    mutating func write(_ elements: [some FixedWidthInteger]) {
        self.writeLength(elements.count)
        for element in elements { self.write(element) }
    }

    /// Ends a structure without tagged fields.
    mutating func tags() {
        if self.isFlexible { self.writeUnsignedVarint(0) }
    }

    private mutating func writeLength(_ length: Int?) {
        if self.isFlexible {
            self.writeUnsignedVarint(length.map { UInt32($0) + 1 } ?? 0)
        } else {
            self.buffer.writeInteger(length.map { Int32($0) } ?? -1)
        }
    }
}

/// A part of a message that can be written to the wire.
protocol WireEncodable: Sendable {
    /// The approximate number of bytes that it holds in memory, beyond what grows with the request that it answers.
    var weight: Int { get }

    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16)
}

extension WireEncodable {
    /// Most messages are small, or as large as the request that they answer.
    var weight: Int { 512 }
}
