/// A parameter's type with named values, written by name on the wire (R11).
///
/// ```swift
/// enum Equipment: String, EnumerationValue { case barbell, dumbbell, machine }
/// ```
public protocol EnumerationValue: ParameterValue, RawRepresentable<String>, CaseIterable {}

extension EnumerationValue {
    /// `enum`.
    public static var typeName: String { "enum" }
    /// Reads one of the names.
    public init?(json: JSONValue) {
        guard let name = json.string else { return nil }
        self.init(rawValue: name)
    }
    /// The name.
    public var json: JSONValue { .string(self.rawValue) }
    /// The name.
    public var words: String? { self.rawValue }
}
