extension JSONValue: CustomStringConvertible {
    /// The canonical text: keys sorted by their UTF-8, no spaces (R11).
    ///
    /// Equal values have equal texts.
    public var utf8: [UInt8] {
        JSONText.bytes { $0.value(self) }
    }

    /// The canonical text as a string.
    public var description: String { String(decoding: self.utf8, as: UTF8.self) }

    /// An upper bound for the size of the canonical text, found without writing it.
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
}
