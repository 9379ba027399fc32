#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Reads a JSON text (RFC 8259) in one pass, with a bound on its depth, and notes where each value begins and ends.
///
/// It is the only reader of JSON. Foundation's has no such bound, and distinguishes booleans from numbers only by the
/// type of an Objective-C object; input from clients needs both (R47). It lives within one function's use of its
/// buffers.
struct JSONScanner {
    enum Outcome {
        /// It was read, into that many nodes.
        case read(Int)
        /// There is not enough room; one node more than the text has bytes is always enough.
        case full
        case refused(JSONParsingError)
    }

    /// The longest text whose positions fit.
    private static let maximumBytes = Int(Int32.max)

    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private let maximumDepth: Int
    private let nodes: UnsafeMutablePointer<JSONNode>
    private let capacity: Int
    /// The next byte's index.
    private var position = 0
    /// The number of nodes.
    private var used = 0
    /// The error; nil where there is only too little room.
    private var error: JSONParsingError?

    /// Reads a text into nodes, overwriting their contents.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int,
        into nodes: UnsafeMutableBufferPointer<JSONNode>
    ) -> Outcome {
        guard bytes.count <= Self.maximumBytes else {
            return .refused(JSONParsingError(message: "longer than \(Self.maximumBytes) bytes", offset: 0))
        }
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            return .refused(JSONParsingError(message: "the text ends where a value should be", offset: 0))
        }
        guard let room = nodes.baseAddress else { return .full }
        var scanner = JSONScanner(base, bytes.count, maximumDepth, room, nodes.count)
        if scanner.readText() { return .read(scanner.used) }
        return scanner.error.map(Outcome.refused) ?? .full
    }

    private init(
        _ bytes: UnsafePointer<UInt8>,
        _ count: Int,
        _ maximumDepth: Int,
        _ nodes: UnsafeMutablePointer<JSONNode>,
        _ capacity: Int
    ) {
        self.bytes = bytes
        self.count = count
        self.maximumDepth = maximumDepth
        self.nodes = nodes
        self.capacity = capacity
    }

    /// Fails at this position.
    ///
    /// A text that is not UTF-8 is refused for that, wherever else it fails.
    private mutating func fail(_ message: String) -> Bool {
        if let offset = self.firstInvalidByte {
            self.error = JSONParsingError(message: "the text is not UTF-8", offset: offset)
        } else {
            self.error = JSONParsingError(message: message, offset: self.position)
        }
        return false
    }

    // MARK: Values

    private mutating func readText() -> Bool {
        var depth = 0
        // The innermost container that is open.
        var container = -1
        value: while true {
            self.skipWhitespace()
            guard self.position < self.count else { return self.fail("the text ends where a value should be") }
            let first = self.bytes[self.position]
            guard self.used < self.capacity else { return false }
            switch first {
            case UInt8(ascii: "\""):
                guard self.readString() else { return false }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard self.readNumber() else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < self.maximumDepth else { return self.fail("nested deeper than \(self.maximumDepth)") }
                let isObject = first == UInt8(ascii: "{")
                let index = self.used
                self.append(isObject ? .object : .array, from: self.position, to: container, next: -1)
                self.position += 1
                self.skipWhitespace()
                if self.position < self.count,
                    self.bytes[self.position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                {
                    self.position += 1
                    self.close(index)
                } else {
                    depth += 1
                    container = index
                    if isObject, !self.readName(of: index) { return false }
                    continue value
                }
            case UInt8(ascii: "t"):
                guard self.readWord("true", .yes) else { return false }
            case UInt8(ascii: "f"):
                guard self.readWord("false", .no) else { return false }
            case UInt8(ascii: "n"):
                guard self.readWord("null", .null) else { return false }
            default: return self.fail("no JSON value starts like this")
            }
            // A value has ended, and possibly the containers around it.
            while container >= 0 {
                self.skipWhitespace()
                let isObject = self.nodes[container].kind == .object
                let byte = self.position < self.count ? self.bytes[self.position] : 0
                if byte == UInt8(ascii: ",") {
                    self.position += 1
                    if isObject, !self.readName(of: container) { return false }
                    continue value
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return self.fail("expected a comma or the \(isObject ? "object" : "array")'s end")
                }
                self.position += 1
                let around = Int(self.nodes[container].end)
                self.close(container)
                container = around
                depth -= 1
            }
            self.skipWhitespace()
            return self.position == self.count || self.fail("text after the value")
        }
    }

    /// Reads a member's name and the colon after it.
    @inline(__always) private mutating func readName(of object: Int) -> Bool {
        self.skipWhitespace()
        guard self.position < self.count, self.bytes[self.position] == UInt8(ascii: "\"") else {
            return self.fail("expected a member's name in quotes")
        }
        guard self.used < self.capacity else { return false }
        let name = self.used
        guard self.readString() else { return false }
        let last = Int(self.nodes[object].next)
        if self.nodes[name].isSpecial || last >= 0 && !self.areInOrder(last, name) {
            self.nodes[object].isSpecial = true
        }
        self.nodes[object].next = Int32(truncatingIfNeeded: name)
        self.skipWhitespace()
        guard self.position < self.count, self.bytes[self.position] == UInt8(ascii: ":") else {
            return self.fail("expected a colon after the member's name")
        }
        self.position += 1
        return true
    }

    /// Whether a name's bytes come before another's.
    @inline(__always) private func areInOrder(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (self.nodes[one], self.nodes[other])
        let (leftCount, rightCount) = (Int(left.end - left.start), Int(right.end - right.start))
        guard leftCount > 0, rightCount > 0 else { return leftCount < rightCount }
        let (leftBytes, rightBytes) = (self.bytes + Int(left.start), self.bytes + Int(right.start))
        // Usually the first bytes decide.
        if leftBytes[0] != rightBytes[0] { return leftBytes[0] < rightBytes[0] }
        let order = memcmp(leftBytes, rightBytes, min(leftCount, rightCount))
        return order < 0 || order == 0 && leftCount < rightCount
    }

    private mutating func readWord(_ word: StaticString, _ kind: JSONNode.Kind) -> Bool {
        let start = self.position
        for index in 0..<word.utf8CodeUnitCount {
            guard self.position < self.count, self.bytes[self.position] == word.utf8Start[index] else {
                return self.fail("expected \(word)")
            }
            self.position += 1
        }
        self.append(kind, from: start, to: self.position)
        return true
    }

    @inline(__always) private mutating func append(
        _ kind: JSONNode.Kind,
        _ isSpecial: Bool = false,
        from start: Int,
        to end: Int,
        next: Int? = nil
    ) {
        (self.nodes + self.used)
            .initialize(
                to: JSONNode(
                    kind: kind,
                    isSpecial: isSpecial,
                    start: Int32(truncatingIfNeeded: start),
                    end: Int32(truncatingIfNeeded: end),
                    next: Int32(truncatingIfNeeded: next ?? self.used + 1)
                )
            )
        self.used += 1
    }

    @inline(__always) private mutating func close(_ index: Int) {
        self.nodes[index].end = Int32(truncatingIfNeeded: self.position)
        self.nodes[index].next = Int32(truncatingIfNeeded: self.used)
    }

    @inline(__always) private mutating func skipWhitespace() {
        while self.position < self.count {
            let byte = self.bytes[self.position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            self.position += 1
        }
    }

    // MARK: Numbers

    private mutating func readNumber() -> Bool {
        let start = self.position
        var isWhole = true
        if self.bytes[start] == UInt8(ascii: "-") { self.position += 1 }
        let firstDigit = self.position
        guard self.passDigits() else { return false }
        if self.bytes[firstDigit] == UInt8(ascii: "0"), self.position > firstDigit + 1 {
            return self.fail("a number does not start with 0")
        }
        if self.position < self.count, self.bytes[self.position] == UInt8(ascii: ".") {
            isWhole = false
            self.position += 1
            guard self.passDigits() else { return false }
        }
        var hasExponent = false
        if self.position < self.count, self.bytes[self.position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            hasExponent = true
            self.position += 1
            if self.position < self.count,
                self.bytes[self.position] == UInt8(ascii: "+") || self.bytes[self.position] == UInt8(ascii: "-")
            {
                self.position += 1
            }
            guard self.passDigits() else { return false }
        }
        // A number with fewer digits and without an exponent is certainly finite.
        if hasExponent || self.position - start > 300 {
            let text = UnsafeBufferPointer(start: self.bytes + start, count: self.position - start)
            guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
                return self.fail("a number beyond 64-bit floats")
            }
        }
        self.append(.number, !isWhole, from: start, to: self.position)
        return true
    }

    @inline(__always) private mutating func passDigits() -> Bool {
        let start = self.position
        while self.position < self.count, self.bytes[self.position] &- UInt8(ascii: "0") < 10 { self.position += 1 }
        return self.position > start || self.fail("expected a digit")
    }

    // MARK: Strings

    /// Reads a string, starting at its quote.
    private mutating func readString() -> Bool {
        let start = self.position + 1
        var isEscaped = false
        self.position = start
        while true {
            self.skipPlainBytes()
            guard self.position < self.count else { return self.fail("a string without its closing quote") }
            let byte = self.bytes[self.position]
            if byte == UInt8(ascii: "\"") {
                self.append(.string, isEscaped, from: start, to: self.position)
                self.position += 1
                return true
            }
            if byte >= 0x80 {
                // The position of an invalid byte is found there.
                guard let end = self.endOfCharacter(at: self.position) else { return self.fail("") }
                self.position = end
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                guard self.passEscape() else { return false }
            } else if byte < 0x20 {
                return self.fail("a control character inside a string")
            } else {
                self.position += 1
            }
        }
    }

    /// Skips eight bytes at a time that need no attention.
    @inline(__always) private mutating func skipPlainBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while self.position + 8 <= self.count {
            let word = UnsafeRawPointer(self.bytes + self.position).loadUnaligned(as: UInt64.self).littleEndian
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            // The lowest mark is exact: a borrow can only come from a byte that is marked itself.
            let marks =
                ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word | word)
                & (ones &* 0x80)
            guard marks == 0 else {
                self.position += marks.trailingZeroBitCount / 8
                return
            }
            self.position += 8
        }
    }

    /// Skips a backslash and the escape after it.
    private mutating func passEscape() -> Bool {
        self.position += 1
        guard self.position < self.count else { return self.fail("a string without its closing quote") }
        let escape = self.bytes[self.position]
        self.position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"): break
        default: return self.fail("an unknown escape in a string")
        }
        guard let first = self.passHexDigits() else { return false }
        guard (0xD800..<0xE000).contains(first) else { return true }
        // A surrogate pair must have both halves.
        guard first < 0xDC00, self.pass(UInt8(ascii: "\\")), self.pass(UInt8(ascii: "u")) else {
            return self.fail("half a surrogate pair in a string")
        }
        guard let second = self.passHexDigits() else { return false }
        return (0xDC00..<0xE000).contains(second) || self.fail("half a surrogate pair in a string")
    }

    private mutating func pass(_ byte: UInt8) -> Bool {
        guard self.position < self.count, self.bytes[self.position] == byte else { return false }
        self.position += 1
        return true
    }

    private mutating func passHexDigits() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard self.position < self.count, let digit = Self.hexDigit(self.bytes[self.position]) else {
                _ = self.fail("expected four hexadecimal digits")
                return nil
            }
            value = value << 4 | digit
            self.position += 1
        }
        return value
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    // MARK: UTF-8

    /// Where the character ends that begins at a non-ASCII byte; nil when it is invalid (Unicode, table 3-7).
    private func endOfCharacter(at start: Int) -> Int? {
        let length: Int
        // The second byte's range is narrower where an overlong form, a surrogate or a scalar beyond the maximum would
        // begin.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch self.bytes[start] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard self.count - start >= length, second.contains(self.bytes[start + 1]) else { return nil }
        for index in (start + 2)..<(start + max(length, 2)) where self.bytes[index] & 0xC0 != 0x80 { return nil }
        return start + length
    }

    /// The position of the first byte that is not UTF-8.
    private var firstInvalidByte: Int? {
        var index = 0
        while index < self.count {
            if self.bytes[index] < 0x80 {
                index += 1
            } else if let end = self.endOfCharacter(at: index) {
                index = end
            } else {
                return index
            }
        }
        return nil
    }
}

/// Why intentd does not accept a text as JSON.
public struct JSONParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String
    /// The position: bytes from the start of the text.
    public var offset: Int

    /// The message and the position.
    public var description: String { "\(self.message) at byte \(self.offset)" }
}
