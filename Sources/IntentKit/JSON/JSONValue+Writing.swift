extension JSONValue: CustomStringConvertible {
    /// The canonical text: keys sorted by their UTF-8, no spaces (R11).
    ///
    /// Equal values have equal texts.
    public var utf8: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        self.write(to: &bytes)
        return bytes
    }

    /// The canonical text as a string.
    public var description: String { String(decoding: self.utf8, as: UTF8.self) }

    /// A number of bytes that the canonical text does not exceed, found without writing it.
    package var maximumTextSize: Int {
        switch self {
        case .null, .bool: 5
        case .integer, .number: 32
        // A control character takes six bytes.
        case .string(let value): 6 * value.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.maximumTextSize + 1 }
        case .object(let members): members.reduce(2) { $0 + 6 * $1.key.utf8.count + $1.value.maximumTextSize + 4 }
        }
    }

    /// Appends the canonical text.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(true): bytes.append(contentsOf: "true".utf8)
        case .bool(false): bytes.append(contentsOf: "false".utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        // JSON has no way to write infinities and not-a-number; a handler that computes one gets null.
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            var first = true
            for (key, value) in members {
                if !first { bytes.append(UInt8(ascii: ",")) }
                first = false
                Self.write(key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            // What needs no escape is copied in one go.
            var copied = 0
            for (index, byte) in text.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: text[copied..<index])
                Self.writeEscaped(byte, to: &bytes)
                copied = index + 1
            }
            bytes.append(contentsOf: text[copied...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0x0F)])
        }
    }
}
