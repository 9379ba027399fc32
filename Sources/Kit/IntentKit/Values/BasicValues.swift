extension String: ParameterValue {
    public static let typeName = "string"
    public init?(json: JSONValue) {
        guard let value = json.string else { return nil }
        self = value
    }
    public var json: JSONValue { .string(self) }
    /// An empty string counts as missing (behaviour 29).
    public var isMissing: Bool { self.allSatisfy(\.isWhitespace) }
    public var words: String? { self }
}

extension Bool: ParameterValue {
    public static let typeName = "boolean"
    public init?(json: JSONValue) {
        guard let value = json.bool else { return nil }
        self = value
    }
    public var json: JSONValue { .bool(self) }
}

extension Int: ParameterValue {
    /// The largest whole number that every JSON reader reads exactly: 2⁵³.
    private static let exactLimit = 1 << 53

    public static let typeName = "integer"
    /// Reads a JSON integer, or a string of digits, the form of integers beyond 2⁵³ (R11).
    public init?(json: JSONValue) {
        switch json {
        case .integer(let value): self = Int(value)
        case .string(let text):
            guard let value = Int(text), String(value) == text else { return nil }
            self = value
        case .number(let value):
            guard let exact = Int(exactly: value) else { return nil }
            self = exact
        case .null, .bool, .array, .object: return nil
        }
    }
    /// A JSON integer, or a string beyond 2⁵³.
    public var json: JSONValue {
        self.magnitude > Self.exactLimit.magnitude ? .string(String(self)) : .integer(Int64(self))
    }
}

extension Double: ParameterValue {
    public static let typeName = "number"
    public init?(json: JSONValue) {
        guard let value = json.number else { return nil }
        self = value
    }
    public var json: JSONValue { .number(self) }
}

extension Array: ParameterValue where Element: ParameterValue {
    public typealias SingleValue = Element

    /// The elements' type in brackets.
    public static var typeName: String { "[\(Element.typeName)]" }
    /// Reads a JSON array of which every element has the type.
    public init?(json: JSONValue) {
        guard let elements = json.array else { return nil }
        var values: [Element] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard let value = Element(json: element) else { return nil }
            values.append(value)
        }
        self = values
    }
    public var json: JSONValue { .array(self.map(\.json)) }
    /// An empty list counts as missing (behaviour 28).
    public var isMissing: Bool { self.isEmpty }
}
