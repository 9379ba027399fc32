/// A value that the user is offered, with its words for this request (R71).
///
/// It is expressible by the literals by which ``JSONValue`` is; it then has no words of its own.
public struct ParameterOption: Hashable, Sendable {
    /// The value on the wire.
    public let value: JSONValue
    /// What the user sees of it; nil for what is declared for the value, or else the value as words.
    public let display: DisplayRepresentation?

    public init(_ value: JSONValue, display: DisplayRepresentation? = nil) {
        self.value = value
        self.display = display
    }
}

extension ParameterOption: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self.init(.string(value)) }
    public init(integerLiteral value: Int64) { self.init(.integer(value)) }
    public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
    public init(floatLiteral value: Double) { self.init(.number(value)) }
    public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(.object(JSONObject(elements.map { (key: $0.0, value: $0.1) })))
    }
}
