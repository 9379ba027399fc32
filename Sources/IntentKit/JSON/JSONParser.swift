/// Reads JSON (RFC 8259) with a bound on its depth.
///
/// Foundation's reader has no such bound, and tells booleans from numbers only by the type of an Objective-C object;
/// what comes from a client needs both (R47).
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func parse() throws(JSONParsingError) -> JSONValue {
        let value = try self.value(depth: 0)
        self.skipWhitespace()
        guard self.position == self.bytes.count else { throw self.error("text after the value") }
        return value
    }

    private func error(_ message: String) -> JSONParsingError {
        JSONParsingError(message: message, offset: self.position)
    }

    private var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    private mutating func skipWhitespace() {
        while let byte = self.next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { self.position += 1 }
    }

    private mutating func value(depth: Int) throws(JSONParsingError) -> JSONValue {
        self.skipWhitespace()
        switch self.next {
        case UInt8(ascii: "{"): return try self.object(depth: depth + 1)
        case UInt8(ascii: "["): return try self.array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try self.string())
        case UInt8(ascii: "t"): return try self.literal("true", .bool(true))
        case UInt8(ascii: "f"): return try self.literal("false", .bool(false))
        case UInt8(ascii: "n"): return try self.literal("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try self.number()
        case nil: throw self.error("the text ends where a value should be")
        default: throw self.error("no JSON value starts like this")
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONParsingError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard self.next == text.utf8Start[index] else { throw self.error("expected \(text)") }
            self.position += 1
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= self.maximumDepth else { throw self.error("nested deeper than \(self.maximumDepth)") }
        self.position += 1
        var members: [JSONObject.Element] = []
        self.skipWhitespace()
        if self.next == UInt8(ascii: "}") {
            self.position += 1
            return .object(JSONObject())
        }
        // Most objects have a few members.
        members.reserveCapacity(6)
        while true {
            self.skipWhitespace()
            guard self.next == UInt8(ascii: "\"") else { throw self.error("expected a member's name in quotes") }
            let key = try self.string()
            self.skipWhitespace()
            guard self.next == UInt8(ascii: ":") else { throw self.error("expected a colon after the member's name") }
            self.position += 1
            members.append((key, try self.value(depth: depth)))
            self.skipWhitespace()
            switch self.next {
            case UInt8(ascii: ","): self.position += 1
            case UInt8(ascii: "}"):
                self.position += 1
                return .object(JSONObject(members))
            default: throw self.error("expected a comma or the object's end")
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONParsingError) -> JSONValue {
        guard depth <= self.maximumDepth else { throw self.error("nested deeper than \(self.maximumDepth)") }
        self.position += 1
        var elements: [JSONValue] = []
        self.skipWhitespace()
        if self.next == UInt8(ascii: "]") {
            self.position += 1
            return .array(elements)
        }
        while true {
            elements.append(try self.value(depth: depth))
            self.skipWhitespace()
            switch self.next {
            case UInt8(ascii: ","): self.position += 1
            case UInt8(ascii: "]"):
                self.position += 1
                return .array(elements)
            default: throw self.error("expected a comma or the array's end")
            }
        }
    }

    private mutating func number() throws(JSONParsingError) -> JSONValue {
        let start = self.position
        var isWhole = true
        if self.next == UInt8(ascii: "-") { self.position += 1 }
        let firstDigit = self.position
        try self.digits()
        if self.bytes[firstDigit] == UInt8(ascii: "0"), self.position > firstDigit + 1 {
            throw self.error("a number does not start with 0")
        }
        if self.next == UInt8(ascii: ".") {
            isWhole = false
            self.position += 1
            try self.digits()
        }
        if self.next == UInt8(ascii: "e") || self.next == UInt8(ascii: "E") {
            isWhole = false
            self.position += 1
            if self.next == UInt8(ascii: "+") || self.next == UInt8(ascii: "-") { self.position += 1 }
            try self.digits()
        }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw self.error("a number beyond 64-bit floats") }
        return .number(number)
    }

    private mutating func digits() throws(JSONParsingError) {
        let start = self.position
        while let byte = self.next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { self.position += 1 }
        guard self.position > start else { throw self.error("expected a digit") }
    }

    private mutating func string() throws(JSONParsingError) -> String {
        self.position += 1
        let start = self.position
        while let byte = self.next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            self.position += 1
        }
        if self.next == UInt8(ascii: "\"") {
            let text = self.bytes[start..<self.position]
            self.position += 1
            return String(decoding: text, as: UTF8.self)
        }
        return try self.escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(JSONParsingError) -> String {
        var text = Array(self.bytes[start..<self.position])
        while true {
            guard let byte = self.next else { throw self.error("a string without its closing quote") }
            guard byte >= 0x20 else { throw self.error("a control character inside a string") }
            self.position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escape = self.next else { throw self.error("a string without its closing quote") }
            self.position += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"): text.append(contentsOf: String(try self.escapedScalar()).utf8)
            default: throw self.error("an unknown escape in a string")
            }
        }
    }

    /// The scalar of a `\u` escape, both halves of a surrogate pair taken together.
    private mutating func escapedScalar() throws(JSONParsingError) -> Unicode.Scalar {
        let first = try self.fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), self.next == UInt8(ascii: "\\") else {
            throw self.error("half a surrogate pair in a string")
        }
        self.position += 1
        guard self.next == UInt8(ascii: "u") else { throw self.error("half a surrogate pair in a string") }
        self.position += 1
        let second = try self.fourHexDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw self.error("half a surrogate pair in a string") }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONParsingError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = self.next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw self.error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            self.position += 1
        }
        return value
    }
}
