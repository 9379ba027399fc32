#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Bytes of a record while its rows are written: in the record, in ``ArgumentBytes``, or in the program itself.
///
/// They are neither copied nor reference-counted, and are valid until the next record begins.
typealias RecordBytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer<UInt8> {
    /// The UTF-8 of a literal of the program.
    init(_ text: StaticString) { self.init(start: text.utf8Start, count: text.utf8CodeUnitCount) }

    func isSame(as other: Self) -> Bool {
        guard self.count == other.count else { return false }
        guard let mine = self.baseAddress, let theirs = other.baseAddress else { return true }
        return mine == theirs || memcmp(mine, theirs, self.count) == 0
    }

    /// Whether these are the UTF-8 of a text.
    func isSame(as text: StaticString) -> Bool { self.isSame(as: Self(text)) }

    /// The text; the bytes must be UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// Whether UTF-8 needs no escape in a JSON string: it has no quote, no backslash and no control character.
    var needsNoEscape: Bool {
        var count = 0
        // Counted without leaving early, so that many bytes are examined in one step.
        for byte in self {
            count &+= byte < 0x20 ? 1 : 0
            count &+= byte == UInt8(ascii: "\"") ? 1 : 0
            count &+= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return count == 0
    }
}
