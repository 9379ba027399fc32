#if PostgreSQL
internal import CPostgreSQL
internal import IntentKit

/// How JSON values are passed to the server and come back.
///
/// The server says which type each argument has. A text for a `bytea` is its UTF-8, so a column that takes what clients
/// say can hold U+0000, which `text` refuses.
enum PostgreSQLValue {
    /// The types' numbers in the server's catalog, which do not change.
    private enum TypeNumber {
        static let bool: Oid = 16
        static let bytea: Oid = 17
        static let integers: Set<Oid> = [20, 21, 23]
        static let numbers: Set<Oid> = [700, 701]
        static let numeric: Oid = 1_700
        static let texts: Set<Oid> = [25, 1_042, 1_043]
    }

    /// Whether a type's values are sent as the bytes that they are.
    static func isText(_ type: Oid) -> Bool { type == TypeNumber.bytea || TypeNumber.texts.contains(type) }

    /// The bytes of a value; nil for null.
    /// - Throws: `StoreError`, `value`.
    static func encode(_ value: JSONValue, as type: Oid) throws(StoreError) -> [UInt8]? {
        let bytes: [UInt8]
        switch value {
        case .null: return nil
        case .bool(let value): bytes = Array((value ? "1" : "0").utf8)
        case .integer(let value): bytes = Array("\(value)".utf8)
        case .number(let value): bytes = Array("\(value)".utf8)
        case .string(let value): bytes = Array(value.utf8)
        case .array, .object: bytes = value.utf8
        }
        guard self.isText(type) || !bytes.contains(0) else {
            throw StoreError(.value, "A text of PostgreSQL cannot contain U+0000: use bytea.")
        }
        return bytes
    }

    /// The value of a column, given the server's text for it.
    /// - Throws: `StoreError`, `value`.
    static func decode(_ bytes: UnsafeRawBufferPointer, _ type: Oid, _ column: String) throws(StoreError) -> JSONValue {
        let text = String(decoding: bytes, as: UTF8.self)
        switch type {
        case TypeNumber.bool: return .integer(text == "t" ? 1 : 0)
        case TypeNumber.bytea:
            guard let bytes = self.bytes(text), let text = String(validating: bytes, as: UTF8.self) else {
                throw StoreError(.value, "Column \(column) holds bytes, not a JSON value.")
            }
            return .string(text)
        case let type where TypeNumber.integers.contains(type): return .integer(Int64(text) ?? 0)
        case let type where TypeNumber.numbers.contains(type):
            guard let number = Double(text), number.isFinite else {
                throw StoreError(.value, "Column \(column) holds \(text), not a JSON value.")
            }
            return .number(number)
        case TypeNumber.numeric:
            throw StoreError(
                .value,
                "Column \(column) is numeric: cast it to bigint, double precision or text."
            )
        default: return .string(text)
        }
    }

    /// The bytes in the form `\x…`.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.dropFirst(2)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            let value = digit >= UInt8(ascii: "a") ? digit - UInt8(ascii: "a") + 10 : digit - UInt8(ascii: "0")
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return text.hasPrefix("\\x") && high == nil ? bytes : nil
    }
}
#endif
