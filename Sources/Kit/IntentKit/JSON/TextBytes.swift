#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Compares texts by their UTF-8 bytes.
@usableFromInline package enum TextBytes {
    /// Whether two texts have the same bytes.
    @usableFromInline package static func areEqual(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && Self.compare(one, other) == 0
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

    /// Passes a text's bytes to the closure; they are valid for this call alone.
    ///
    /// A span borrows the text, where `String.withUTF8(_:)` and `withContiguousStorageIfAvailable(_:)` count a reference.
    package static func withBytes<Result>(
        of text: borrowing String,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if #available(macOS 26, *) { return text.utf8Span.span.withUnsafeBufferPointer(body) }
        var text = copy text
        return text.withUTF8(body)
    }
}
