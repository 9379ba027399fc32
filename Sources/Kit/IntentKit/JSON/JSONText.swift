/// Writes canonical JSON (R11) straight into bytes, without a tree of values in between.
///
/// The caller names the members of an object in the order of their names' bytes. Commas are written automatically.
package struct JSONText: Hashable, Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    /// How many bytes there were before: they do not belong to this text.
    private var start = 0

    package init() {}

    /// Appends what the closure writes to existing bytes.
    package static func append(to bytes: inout [UInt8], _ write: (inout JSONText) -> Void) {
        var text = JSONText()
        swap(&text.bytes, &bytes)
        text.start = text.bytes.count
        write(&text)
        swap(&text.bytes, &bytes)
    }

    /// The canonical text of what the closure writes.
    package static func bytes(_ write: (inout JSONText) -> Void) -> [UInt8] {
        var text = JSONText()
        text.bytes.reserveCapacity(256)
        write(&text)
        return text.bytes
    }

    // MARK: Containers

    package mutating func beginObject() { self.begin(UInt8(ascii: "{")) }

    package mutating func endObject() { self.bytes.append(UInt8(ascii: "}")) }

    package mutating func beginArray() { self.begin(UInt8(ascii: "[")) }

    package mutating func endArray() { self.bytes.append(UInt8(ascii: "]")) }

    /// Begins a member; its value must follow.
    package mutating func name(_ name: StaticString) {
        self.append(
            quoted: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount),
            afterComma: self.bytes.last != UInt8(ascii: "{"),
            beforeColon: true
        )
    }

    /// Begins a member whose name is found at run time.
    package mutating func name(_ name: String) {
        if self.bytes.last != UInt8(ascii: "{") { self.bytes.append(UInt8(ascii: ",")) }
        self.appendQuoted(name)
        self.bytes.append(UInt8(ascii: ":"))
    }

    private mutating func begin(_ bracket: UInt8) {
        self.separate()
        self.bytes.append(bracket)
    }

    /// Writes a comma unless this is the first value.
    @inline(__always) private mutating func separate() {
        guard self.bytes.count > self.start, let last = self.bytes.last else { return }
        if last != UInt8(ascii: "{"), last != UInt8(ascii: "["), last != UInt8(ascii: ":") {
            self.bytes.append(UInt8(ascii: ","))
        }
    }

    // MARK: Values

    package mutating func null() { self.word("null") }

    package mutating func bool(_ value: Bool) { self.word(value ? "true" : "false") }

    private mutating func word(_ word: StaticString) {
        self.separate()
        self.bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    package mutating func integer(_ value: Int64) {
        self.separate()
        self.appendDigits(value)
    }

    package mutating func string(_ text: String) {
        self.separate()
        self.appendQuoted(text)
    }

    /// Writes a string whose characters need no escape; the closure appends them.
    package mutating func string(_ write: (inout [UInt8]) -> Void) {
        self.separate()
        self.bytes.append(UInt8(ascii: "\""))
        write(&self.bytes)
        self.bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value's canonical text.
    package mutating func canonical(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.separate()
        self.bytes.append(contentsOf: bytes)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: self.null()
        case .bool(let value): self.bool(value)
        case .integer(let value): self.integer(value)
        // JSON has no way to write infinities and not-a-number; a handler that computes one gets null.
        case .number(let value):
            self.separate()
            self.bytes.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
        case .string(let value): self.string(value)
        case .array(let elements):
            self.beginArray()
            for element in elements { self.value(element) }
            self.endArray()
        case .object(let members): self.object(members)
        }
    }

    package mutating func object(_ members: JSONObject) {
        self.beginObject()
        // By index: iterating would copy each member.
        for index in members.members.indices {
            self.name(members.members[index].key)
            self.value(members.members[index].value)
        }
        self.endObject()
    }

    // MARK: Members

    /// Writes a member that is a string; nil leaves it out.
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        self.appendQuoted(text)
    }

    /// Writes a member that is a whole number; nil leaves it out.
    package mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        self.appendDigits(value)
    }

    /// Writes a member of any value; nil leaves it out.
    package mutating func member(_ name: StaticString, value: JSONValue?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }

    /// Writes a member that is true; leaves it out if it is false.
    package mutating func member(_ name: StaticString, ifTrue value: Bool) {
        guard value else { return }
        self.name(name)
        self.bool(true)
    }

    package mutating func stringOrNull(_ text: String?) {
        if let text { self.string(text) } else { self.null() }
    }

    package mutating func strings(_ texts: [String]) {
        self.beginArray()
        for text in texts { self.string(text) }
        self.endArray()
    }

    /// Writes the member `user`, an object that names one.
    package mutating func member(userNamed id: String) {
        self.name("user")
        self.beginObject()
        self.member("id", id)
        self.endObject()
    }

    // MARK: Characters

    private mutating func appendDigits(_ value: Int64) {
        if value < 0 { self.bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        guard rest >= 10 else {
            self.bytes.append(UInt8(truncatingIfNeeded: 48 + rest))
            return
        }
        // At most twenty digits, the last one first.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var index = 20
            while rest > 0 {
                index -= 1
                digits[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
            self.bytes.append(contentsOf: digits[index...])
        }
    }

    private mutating func appendQuoted(_ text: String) {
        TextBytes.withBytes(of: text) { text in
            var index = Self.firstEscape(in: text, from: 0)
            guard index < text.count else { return self.append(quoted: text) }
            self.bytes.append(UInt8(ascii: "\""))
            // Characters that need no escape are copied together.
            var copied = 0
            while index < text.count {
                self.bytes.append(contentsOf: text[copied..<index])
                self.appendEscaped(text[index])
                copied = index + 1
                index = Self.firstEscape(in: text, from: copied)
            }
            self.bytes.append(contentsOf: text[copied...])
            self.bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a text that needs no escape, in quotes: the capacity is checked once for all of it.
    private mutating func append(
        quoted text: UnsafeBufferPointer<UInt8>,
        afterComma: Bool = false,
        beforeColon: Bool = false
    ) {
        self.bytes.append(addingCapacity: text.count + 4) { end in
            if afterComma { end.append(UInt8(ascii: ",")) }
            end.append(UInt8(ascii: "\""))
            end.append(text)
            end.append(UInt8(ascii: "\""))
            if beforeColon { end.append(UInt8(ascii: ":")) }
        }
    }

    /// The position of the next byte that needs an escape; eight bytes are examined at a time.
    private static func firstEscape(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index < text.count {
            // The last word may begin within the one before it.
            let next = min(index, text.count - 8)
            guard next >= start else { break }
            let word = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: next, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            let marks =
                (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word
            // A false mark only means that each byte is examined.
            guard marks & (ones &* 0x80) == 0 else { break }
            index = next + 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
            index += 1
        }
        return index
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): self.bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): self.bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: self.bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: self.bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: self.bytes.append(contentsOf: #"\t"#.utf8)
        default:
            let digits: StaticString = "0123456789abcdef"
            self.bytes.append(contentsOf: #"\u00"#.utf8)
            self.bytes.append(digits.utf8Start[Int(byte >> 4)])
            self.bytes.append(digits.utf8Start[Int(byte & 0x0F)])
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes; there is room for them.
    @inlinable @inline(__always) package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= self.freeCapacity)
        guard let start = bytes.baseAddress else { return }
        self.withUnsafeMutableBufferPointer { buffer, count in
            guard let base = buffer.baseAddress else { return }
            (base + count).update(from: start, count: bytes.count)
            count += bytes.count
        }
    }
}
