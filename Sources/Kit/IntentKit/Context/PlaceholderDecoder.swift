/// Makes a value of any decodable type from nothing: texts name what they stand for, numbers are 0, lists are empty,
/// optional values are nil.
struct PlaceholderDecoder: Decoder {
    /// What the value stands for.
    let text: String
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Makes a value.
    /// - Throws: What the type's own decoding throws, for example because it accepts only certain texts.
    static func make<Value: Decodable>(_ type: Value.Type, named text: String) throws -> Value {
        try Value(from: PlaceholderDecoder(text: text))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(decoder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    /// The value of a type: simple ones are made here, others decode themselves.
    fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let text = self.text as? Value { return text }
        if let no = false as? Value { return no }
        if let number = (type as? any Numeric.Type)?.init(exactly: UInt8(0)) as? Value { return number }
        return try Value(from: self)
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: PlaceholderDecoder
        var codingPath: [any CodingKey] { self.decoder.codingPath }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { true }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try self.decoder.value(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            self.decoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { self.decoder.unkeyedContainer() }
        func superDecoder() -> any Decoder { self.decoder }
        func superDecoder(forKey key: Key) -> any Decoder { self.decoder }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let decoder: PlaceholderDecoder
        var codingPath: [any CodingKey] { self.decoder.codingPath }
        var count: Int? { 0 }
        var isAtEnd: Bool { true }
        var currentIndex: Int { 0 }

        func decodeNil() -> Bool { true }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try self.decoder.value(type) }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            self.decoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
        func superDecoder() -> any Decoder { self.decoder }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: PlaceholderDecoder
        var codingPath: [any CodingKey] { self.decoder.codingPath }

        func decodeNil() -> Bool { true }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try self.decoder.value(type) }
    }
}
