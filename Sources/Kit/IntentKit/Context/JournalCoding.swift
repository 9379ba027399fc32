import Foundation

/// Turns a handler's values into journal entries and back.
enum JournalCoding {
    /// A value's form in the journal, as `JSONEncoder` makes it.
    static func encode(_ value: some Encodable) throws -> JSONValue {
        // The most common results are converted directly, without an encoder and without parsing its text.
        switch value {
        case let text as String: return .string(text)
        case let number as Int: return .integer(Int64(number))
        case let number as Int64: return .integer(number)
        case let isSo as Bool: return .bool(isSo)
        default: break
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try JSONValue(parsing: encoder.encode(value))
    }

    /// Decodes a value from its form in the journal.
    static func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
        switch json {
        case .string(let text): if let value = text as? Value { return value }
        case .integer(let number): if let value = number as? Value ?? Int(number) as? Value { return value }
        case .bool(let isSo): if let value = isSo as? Value { return value }
        case .null, .number, .array, .object: break
        }
        return try JSONDecoder().decode(type, from: Data(json.utf8))
    }
}
