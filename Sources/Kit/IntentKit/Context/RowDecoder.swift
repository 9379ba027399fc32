/// Decodes a value from a row: from its columns by their names, or from its only column.
struct RowDecoder: Decoder {
    let row: JSONObject
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a value from a row.
    /// - Throws: `DecodingError` when it does not fit.
    static func decode<Value: Decodable>(_ type: Value.Type, from row: JSONObject) throws -> Value {
        if row.count == 1, let plain = ColumnDecoder(value: row[0].value, codingPath: []).plain(type) { return plain }
        return try Value(from: RowDecoder(row: row))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Columns<Key>(row: self.row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try self.onlyColumn().unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try self.onlyColumn() }

    private func onlyColumn() throws -> ColumnDecoder {
        guard self.row.count == 1 else {
            throw DecodingError.typeMismatch(Any.self, Self.context("A row of one column is expected."))
        }
        return ColumnDecoder(value: self.row[0].value, codingPath: [])
    }

    fileprivate static func context(_ text: String, _ path: [any CodingKey] = []) -> DecodingError.Context {
        DecodingError.Context(codingPath: path, debugDescription: text)
    }

    private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let row: JSONObject
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { self.row.keys.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { self.row[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try self.column(key).value.isNull }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try self.column(key).decode(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try self.column(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try self.column(key).unkeyedContainer()
        }
        func superDecoder() -> any Decoder { RowDecoder(row: self.row) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try self.column(key) }

        private func column(_ key: Key) throws -> ColumnDecoder {
            guard let value = self.row[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    RowDecoder.context("The row has no column \(key.stringValue).", [key])
                )
            }
            return ColumnDecoder(value: value, codingPath: [key])
        }
    }
}

private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue
    /// The column's name.
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// A value of one of the simple types; nil for any other type, and where the column has another.
    func plain<Value>(_ type: Value.Type) -> Value? {
        switch self.value {
        case .string(let text): return text as? Value
        case .integer(let number):
            if Value.self == Bool.self, number == 0 || number == 1 { return (number == 1) as? Value }
            if Value.self == Double.self { return Double(number) as? Value }
            if Value.self == Float.self { return Float(number) as? Value }
            return (type as? any FixedWidthInteger.Type).flatMap { $0.init(exactly: number) as? Value }
        case .number(let number): return number as? Value ?? Float(number) as? Value
        case .bool(let isSo): return isSo as? Value
        case .null, .array, .object: return nil
        }
    }

    func decodeNil() -> Bool { self.value.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let plain = self.plain(type) { return plain }
        // These types would call this decoder again.
        let isPlain = type is any (FixedWidthInteger & Decodable).Type
        guard !isPlain, type != String.self, type != Bool.self, type != Double.self, type != Float.self else {
            throw self.mismatch(type)
        }
        return try Value(from: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try self.json([String: Key].self) { try $0.container(keyedBy: type) }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try self.json([Any].self) { try $0.unkeyedContainer() }
    }

    /// The decoder of the JSON text in the column.
    private func json<Container>(_ type: Any.Type, _ body: (any Decoder) throws -> Container) throws -> Container {
        guard let text = self.value.string, let json = try? JSONValue(parsing: Array(text.utf8)) else {
            throw self.mismatch(type)
        }
        return try body(JournalCoding.decode(DecoderCapture.self, from: json).decoder)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, RowDecoder.context("The column has \(self.value.kind).", self.codingPath))
    }
}

/// Captures the decoder that `JSONDecoder` makes for a text.
private struct DecoderCapture: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) { self.decoder = decoder }
}
