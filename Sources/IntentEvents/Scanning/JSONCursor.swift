/// Goes over the bytes of a JSON text; lives within one function's use of its buffer.
struct JSONCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte's index.
    var position = 0
    /// Whether a byte of a character beyond ASCII was passed.
    private var hasLongCharacters = false

    /// Begins at the first byte.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte; nil at the end.
    @inline(__always) var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    /// Whether all was passed.
    var isAtEnd: Bool { self.position == self.bytes.count }

    /// Whether what was passed is UTF-8: outside of strings nothing else is passed at all.
    var isUTF8: Bool { !self.hasLongCharacters || String(validating: self.bytes, as: UTF8.self) != nil }

    /// Passes white space.
    @inline(__always) mutating func skipWhitespace() {
        while let byte = self.next, byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            self.position += 1
        }
    }

    /// Passes a word; false when something else stands here.
    mutating func pass(_ word: StaticString) -> Bool {
        for index in 0..<word.utf8CodeUnitCount {
            guard self.next == word.utf8Start[index] else { return false }
            self.position += 1
        }
        return true
    }

    /// Passes a string from its quote on, and says whether it has escapes; nil when it is none.
    mutating func passString() -> Bool? {
        self.position += 1
        var isEscaped = false
        while true {
            self.skipPlainBytes()
            guard let byte = self.next else { return nil }
            self.position += 1
            if byte == UInt8(ascii: "\"") { return isEscaped }
            if byte >= 0x80 {
                self.hasLongCharacters = true
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                guard self.passEscape() else { return nil }
            } else if byte < 0x20 {
                return nil
            }
        }
    }

    /// Passes eight bytes at a time that stand for themselves.
    @inline(__always) private mutating func skipPlainBytes() {
        guard let base = self.bytes.baseAddress else { return }
        while self.position + 8 <= self.bytes.count {
            let word = UnsafeRawPointer(base + self.position).loadUnaligned(as: UInt64.self).littleEndian
            let ones: UInt64 = 0x0101_0101_0101_0101
            let tops: UInt64 = 0x8080_8080_8080_8080
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            // The lowest mark is exact: a borrow can only come from a byte that has one itself.
            let marks =
                ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word | word)
                & tops
            guard marks == 0 else {
                self.position += marks.trailingZeroBitCount / 8
                return
            }
            self.position += 8
        }
    }

    /// Passes what stands behind a backslash.
    private mutating func passEscape() -> Bool {
        guard let escape = self.next else { return false }
        self.position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"): break
        default: return false
        }
        guard let first = self.passHexDigits() else { return false }
        guard (0xD800..<0xE000).contains(first) else { return true }
        // Both halves of a surrogate pair, or none.
        guard first < 0xDC00, self.pass(#"\u"#), let second = self.passHexDigits() else { return false }
        return (0xDC00..<0xE000).contains(second)
    }

    private mutating func passHexDigits() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = self.next, let digit = Self.hexDigit(byte) else { return nil }
            value = value << 4 | digit
            self.position += 1
        }
        return value
    }

    /// The value of a hexadecimal digit.
    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Passes a number, and says whether it has neither fraction nor exponent; nil when it is none, or beyond 64-bit
    /// floats.
    mutating func passNumber() -> Bool? {
        let start = self.position
        var isWhole = true
        if self.next == UInt8(ascii: "-") { self.position += 1 }
        let firstDigit = self.position
        guard self.passDigits() else { return nil }
        if self.bytes[firstDigit] == UInt8(ascii: "0"), self.position > firstDigit + 1 { return nil }
        if self.next == UInt8(ascii: ".") {
            isWhole = false
            self.position += 1
            guard self.passDigits() else { return nil }
        }
        var hasExponent = false
        if self.next == UInt8(ascii: "e") || self.next == UInt8(ascii: "E") {
            isWhole = false
            hasExponent = true
            self.position += 1
            if self.next == UInt8(ascii: "+") || self.next == UInt8(ascii: "-") { self.position += 1 }
            guard self.passDigits() else { return nil }
        }
        // Fewer digits without an exponent are certainly finite.
        if hasExponent || self.position - start > 300 {
            let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
            guard let number = Double(text), number.isFinite else { return nil }
        }
        return isWhole
    }

    private mutating func passDigits() -> Bool {
        let start = self.position
        while let byte = self.next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { self.position += 1 }
        return self.position > start
    }
}
