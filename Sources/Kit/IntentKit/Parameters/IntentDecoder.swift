/// Makes an intent from an interaction's values: the decoder for the initializer that the compiler writes.
///
/// The initializer asks for each property by its name. A missing value, or one of another type, makes an empty
/// parameter.
struct IntentDecoder: Decoder {
    /// The values, by the parameters' names on the wire.
    let values: JSONObject
    /// Those names by the properties' names, if they differ.
    let wireNames: [String: String]

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Properties<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.foreignDecoding }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.foreignDecoding }

    /// The intent has a custom initializer that asks for more than parameters.
    fileprivate static var foreignDecoding: DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "An intent holds parameters only."))
    }

    private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: IntentDecoder

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) throws -> Bool { throw IntentDecoder.foreignDecoding }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let property = key.stringValue
            let name = self.decoder.wireNames.isEmpty ? property : self.decoder.wireNames[property] ?? property
            return try Value(from: ParameterDecoder(value: self.decoder.values[name]))
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw IntentDecoder.foreignDecoding }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw IntentDecoder.foreignDecoding
        }
        func superDecoder() throws -> any Decoder { throw IntentDecoder.foreignDecoding }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw IntentDecoder.foreignDecoding }
    }
}

/// Passes a parameter its value.
///
/// It is small enough to be stored in an `any Decoder` without an allocation.
struct ParameterDecoder: Decoder {
    /// The value; nil if there is none.
    let value: JSONValue?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw IntentDecoder.foreignDecoding
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw IntentDecoder.foreignDecoding }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw IntentDecoder.foreignDecoding }
}
