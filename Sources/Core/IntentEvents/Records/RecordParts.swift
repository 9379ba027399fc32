#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The parts of a ``RecordContent``, in place; valid for one call of its `withParts`.
public struct RecordParts {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    public let key: UnsafeBufferPointer<UInt8>?
    /// The value; nil for a tombstone.
    public let value: UnsafeBufferPointer<UInt8>?
    @usableFromInline let headersStart: Int

    @inlinable init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        var position = 0
        self.key = Self.part(bytes, &position)
        self.value = Self.part(bytes, &position)
        self.headersStart = position
    }

    /// The headers, in order.
    @inlinable public var headers: RecordHeaders { RecordHeaders(self.bytes, from: self.headersStart) }

    /// Calls the closure with each header's name and value, in order.
    @inlinable @inline(__always) public func forEachHeader(
        _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>?) -> Void
    ) {
        var position = self.headersStart
        while position < self.bytes.count, let name = Self.part(self.bytes, &position) {
            body(name, Self.part(self.bytes, &position))
        }
    }

    /// The value of the last header of that name, which may be a null; nil when there is none.
    package func lastHeader(_ name: String) -> UnsafeBufferPointer<UInt8>?? {
        var name = name
        return name.withUTF8 { name in
            var found: UnsafeBufferPointer<UInt8>?? = nil
            var headers = self.headers
            while let header = headers.next() {
                if Self.areEqual(header.name, name) { found = .some(header.value) }
            }
            return found
        }
    }

    /// Whether there is a header of that name.
    func hasHeader(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { name in
            guard let start = UnsafeRawPointer(self.bytes.baseAddress), let text = name.baseAddress else {
                return false
            }
            var position = self.headersStart
            func passLength() -> Int {
                defer { position += 4 }
                return Int(Int32(littleEndian: start.loadUnaligned(fromByteOffset: position, as: Int32.self)))
            }
            while position < self.bytes.count {
                let count = passLength()
                if count == name.count, memcmp(start + position, text, count) == 0 { return true }
                position += max(count, 0)
                position += max(passLength(), 0)
            }
            return false
        }
    }

    package var hasHeaders: Bool { self.headersStart < self.bytes.count }

    @inlinable public var headerCount: Int {
        var count = 0
        self.forEachHeader { _, _ in count += 1 }
        return count
    }

    /// The size of the key and the headers' names and values together.
    @inlinable public var envelopeCount: Int {
        var count = self.key?.count ?? 0
        self.forEachHeader { name, value in count += name.count + (value?.count ?? 0) }
        return count
    }

    /// The part at the cursor, whose length the writer has stored; moves the cursor behind it.
    @inlinable static func part(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ position: inout Int
    ) -> UnsafeBufferPointer<UInt8>? {
        let length = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: Int32.self)
        let count = Int(Int32(littleEndian: length))
        position += 4
        guard count >= 0 else { return nil }
        defer { position += count }
        return UnsafeBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    /// Whether bytes are the same: compared as a block.
    static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
    }

    /// Whether bytes are the UTF-8 of a literal of the program.
    package static func areEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        Self.areEqual(bytes, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Whether bytes are the UTF-8 of a text.
    package static func areEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        return text.utf8.withContiguousStorageIfAvailable { Self.areEqual(bytes, $0) } ?? bytes.elementsEqual(text.utf8)
    }
}
