import Foundation

/// Turns a handler's values into journal entries and back.
enum JournalCoding {
    static func encode(_ value: some Encodable) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try JSONValue(parsing: encoder.encode(value))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }
}
