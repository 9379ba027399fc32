extension JSONValue {
    /// The depth to which nested arrays and objects are read unless told otherwise.
    ///
    /// It is twice what a client may send (R47): state, journal and the events between the stages hold what clients
    /// wrote inside of objects of their own, and have to be read again.
    public static let defaultMaximumDepth = 128

    /// Reads one JSON value from UTF-8 text.
    ///
    /// Of two members with one name the last counts. Numbers without fraction that do not fit 64 bits become floats.
    /// - Throws: ``JSONParsingError`` for what is not UTF-8, not JSON, or nested deeper than `maximumDepth`.
    public init(
        parsing bytes: some Collection<UInt8>,
        maximumDepth: Int = Self.defaultMaximumDepth
    ) throws(JSONParsingError) {
        func parse(_ buffer: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONParsingError> {
            if let offset = Self.firstInvalidByte(of: buffer) {
                return .failure(JSONParsingError(message: "the text is not UTF-8", offset: offset))
            }
            do throws(JSONParsingError) {
                var parser = JSONParser(buffer, maximumDepth: maximumDepth)
                return .success(try parser.parse())
            } catch {
                return .failure(error)
            }
        }
        let result = bytes.withContiguousStorageIfAvailable(parse) ?? Array(bytes).withUnsafeBufferPointer(parse)
        self = try result.get()
    }

    /// Reads one JSON value from a string.
    /// - Throws: ``JSONParsingError``, as for bytes.
    public init(parsing text: String) throws(JSONParsingError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Whether no byte is beyond ASCII; eight are looked at in one go.
    private static func isASCII(_ buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(buffer)
        var seen: UInt64 = 0
        var index = 0
        while index + 8 <= raw.count {
            seen |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < raw.count {
            seen |= UInt64(raw[index])
            index += 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    private static func firstInvalidByte(of buffer: UnsafeBufferPointer<UInt8>) -> Int? {
        if Self.isASCII(buffer) { return nil }
        if String(validating: buffer, as: UTF8.self) != nil { return nil }
        var decoder = UTF8()
        var iterator = buffer.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
