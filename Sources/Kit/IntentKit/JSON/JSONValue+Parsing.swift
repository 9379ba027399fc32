extension JSONValue {
    /// The default limit for the depth of nested arrays and objects.
    ///
    /// It is twice what a client may send (R47): state, journal and the events between the stages hold clients' values
    /// inside objects of their own, and have to be read again.
    public static let defaultMaximumDepth = 128

    /// Reads one JSON value from UTF-8 text.
    ///
    /// Of two members with one name the last counts. Numbers without fraction that do not fit 64 bits become floats.
    /// - Throws: ``JSONParsingError`` for what is not UTF-8, not JSON, or nested deeper than `maximumDepth`.
    public init(
        parsing bytes: some Collection<UInt8>,
        maximumDepth: Int = Self.defaultMaximumDepth
    ) throws(JSONParsingError) {
        let result =
            bytes.withContiguousStorageIfAvailable { Self.read($0, maximumDepth) }
            ?? Array(bytes).withUnsafeBufferPointer { Self.read($0, maximumDepth) }
        self = try result.get()
    }

    /// Reads one JSON value from UTF-8 text, as from any collection of bytes.
    /// - Throws: ``JSONParsingError``.
    package init(
        parsing bytes: [UInt8],
        maximumDepth: Int = Self.defaultMaximumDepth
    ) throws(JSONParsingError) {
        self = try bytes.withUnsafeBufferPointer { Self.read($0, maximumDepth) }.get()
    }

    /// Reads one JSON value from a string.
    /// - Throws: ``JSONParsingError``, as for bytes.
    public init(parsing text: String) throws(JSONParsingError) {
        var text = text
        self = try text.withUTF8 { Self.read($0, Self.defaultMaximumDepth) }.get()
    }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ maximumDepth: Int
    ) -> Result<JSONValue, JSONParsingError> {
        var value = JSONValue.null
        do throws(JSONParsingError) {
            try JSONTape.withView(of: bytes, maximumDepth: maximumDepth) { value = $0.value }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}
