/// The content of a record: its key, value and headers, in one immutable buffer.
///
/// The layout is what a record's digest covers (R41): first the key, then the value, then each header's name and value.
/// Each of these parts is preceded by its length: 32 bits, little-endian, -1 for a null. So a record is read with one
/// allocation, passed on without a copy, and digested as it is. The records of a batch to be written share one buffer;
/// each is a range of it.
public struct RecordContent: Hashable, Sendable {
    @usableFromInline let buffer: [UInt8]
    @usableFromInline let range: Range<Int>

    /// Wraps a range that a ``RecordContentWriter`` has written.
    init(_ buffer: [UInt8], _ range: Range<Int>) {
        self.buffer = buffer
        self.range = range
    }

    /// The bytes of all parts, lengths included.
    package var bytes: [UInt8] { self.range.count == self.buffer.count ? self.buffer : Array(self.buffer[self.range]) }

    package init(key: [UInt8]?, value: [UInt8]?, headers: [LogHeader] = []) {
        var capacity = 8 + (key?.count ?? 0) + (value?.count ?? 0)
        for header in headers { capacity += 8 + header.name.utf8.count + (header.value?.count ?? 0) }
        var writer = RecordContentWriter(capacity: capacity)
        writer.append(part: key)
        writer.append(part: value)
        for header in headers { writer.append(header) }
        self = writer.content
    }

    /// Assembles copies of parts: the key, the value, then each header's name and value; nil is a null.
    package init(copying parts: UnsafeBufferPointer<UnsafeRawBufferPointer?>) {
        var size = 4 * parts.count
        for part in parts { size += part?.count ?? 0 }
        let buffer = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var destination = UnsafeMutableRawPointer(buffer.baseAddress)
            for part in parts {
                // Records are far smaller than 2 GiB: input is bounded where it is read (R47).
                destination?.storeBytes(of: Int32(part?.count ?? -1).littleEndian, as: Int32.self)
                destination = destination.map { $0 + 4 }
                guard let part, let start = part.baseAddress else { continue }
                destination?.copyMemory(from: start, byteCount: part.count)
                destination = destination.map { $0 + part.count }
            }
            count = size
        }
        self.init(buffer, 0..<size)
    }

    /// The size of all parts, lengths included.
    @inlinable public var byteCount: Int { self.range.count }

    /// The key, copied.
    package var key: [UInt8]? { self.withParts { $0.key.map(Array.init) } }

    /// The value, copied; nil for a tombstone.
    package var value: [UInt8]? { self.withParts { $0.value.map(Array.init) } }

    /// The headers, copied, in the order in which they were written.
    package var headers: [LogHeader] {
        self.withParts { parts in
            var headers: [LogHeader] = []
            parts.forEachHeader { name, value in
                headers.append(LogHeader(String(decoding: name, as: UTF8.self), bytes: value.map(Array.init)))
            }
            return headers
        }
    }

    /// The size of the value: 0 for a null as well.
    package var valueCount: Int { self.withParts { $0.value?.count ?? 0 } }

    /// Whether there is a header of that name.
    package func hasHeader(_ name: String) -> Bool { self.withParts { $0.hasHeader(name) } }

    /// Whether the last header of that name has this text.
    package func hasHeader(_ name: String, _ text: String) -> Bool {
        self.withParts { parts in
            guard let value = parts.lastHeader(name) ?? nil else { return false }
            return RecordParts.areEqual(value, text)
        }
    }

    /// The last header of that name as text; nil when there is none, or it is null or not UTF-8.
    package func header(_ name: String) -> String? {
        self.withParts { parts in
            guard let value = parts.lastHeader(name) ?? nil else { return nil }
            return String(validating: value, as: UTF8.self)
        }
    }

    /// Passes the parts, in place, to the closure; they are valid for this call alone.
    @inlinable public func withParts<Result>(_ body: (RecordParts) throws -> Result) rethrows -> Result {
        try self.buffer.withUnsafeBufferPointer {
            try body(RecordParts(UnsafeBufferPointer(rebasing: $0[self.range])))
        }
    }

    /// Passes all bytes, in place, to the closure; they are valid for this call alone.
    @inlinable public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        self.buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[self.range])) }
    }

    /// Whether two records have the same bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.withParts { one in rhs.withParts { RecordParts.areEqual(one.bytes, $0.bytes) } }
    }

    public func hash(into hasher: inout Hasher) { self.withBytes { hasher.combine(bytes: $0) } }
}
