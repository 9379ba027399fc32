#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Compares texts by their UTF-8 bytes.
@usableFromInline package enum TextBytes {
    /// Whether two texts have the same bytes.
    @usableFromInline package static func areEqual(_ one: String, _ other: String) -> Bool {
        Self.areSame(one, other) || one.utf8.count == other.utf8.count && Self.compare(one, other) == 0
    }

    /// Whether one text's bytes come before the other's.
    @usableFromInline package static func areInOrder(_ one: String, _ other: String) -> Bool {
        let order = Self.compare(one, other)
        return order < 0 || order == 0 && one.utf8.count < other.utf8.count
    }

    /// Whether a text's bytes begin with the other's.
    @usableFromInline package static func begins(_ text: String, with prefix: String) -> Bool {
        text.utf8.count >= prefix.utf8.count && Self.compare(text, prefix) == 0
    }

    @usableFromInline package static func hash(_ text: String, into hasher: inout Hasher) {
        Self.withBytes(of: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Ends the text: no UTF-8 has this byte.
        hasher.combine(0xFF as UInt8)
    }

    /// Compares the first bytes, as many as both have.
    private static func compare(_ one: String, _ other: String) -> Int32 {
        Self.withBytes(of: one) { one in
            Self.withBytes(of: other) { other in
                guard let left = one.baseAddress, let right = other.baseAddress else { return 0 }
                return memcmp(left, right, min(one.count, other.count))
            }
        }
    }

    /// The two words of a text.
    private typealias Words = SIMD2<UInt64>

    /// Whether two texts are one and the same value: the same few bytes, or the same storage.
    ///
    /// It reads nothing but the two words of each; texts for which it is false may be equal, too.
    @inline(__always) private static func areSame(_ one: borrowing String, _ other: borrowing String) -> Bool {
        withUnsafeBytes(of: one) { one in
            withUnsafeBytes(of: other) { one.loadUnaligned(as: Words.self) == $0.loadUnaligned(as: Words.self) }
        }
    }

    /// Passes a text's bytes to the closure; they are valid for this call alone.
    ///
    /// It is inlined where it is called, since a span, which counts no reference, costs three calls: three times as
    /// much for a text of a few bytes, and twice as much for a longer one.
    @inlinable @inline(__always) package static func withBytes<Result>(
        of text: String,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        var text = text
        return text.withUTF8(body)
    }
}
