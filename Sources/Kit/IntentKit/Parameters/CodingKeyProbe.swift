/// Finds out which keys the initializer of an intent asks for.
struct CodingKeyProbe: Decoder {
    /// The keys so far.
    ///
    /// This is a reference, since decoders are copied.
    final class Keys {
        /// The keys, in the order in which they were asked for.
        var names: [String] = []
    }

    private let keys: Keys

    /// The keys that a type asks for.
    /// - Throws: What its initializer throws.
    static func keys<Value: Decodable>(of type: Value.Type) throws -> [String] {
        let keys = Keys()
        _ = try Value(from: CodingKeyProbe(keys: keys))
        return keys.names
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Properties<Key>(keys: self.keys))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ParameterDecoder(value: nil).unkeyedContainer()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try ParameterDecoder(value: nil).singleValueContainer()
    }

    private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let keys: Keys

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { true }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            self.keys.names.append(key.stringValue)
            return try Value(from: ParameterDecoder(value: nil))
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try ParameterDecoder(value: nil).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try ParameterDecoder(value: nil).unkeyedContainer()
        }
        func superDecoder() -> any Decoder { ParameterDecoder(value: nil) }
        func superDecoder(forKey key: Key) -> any Decoder { ParameterDecoder(value: nil) }
    }
}
