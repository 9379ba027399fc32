/// A parameter's type with named values, written by name on the wire (R11).
///
/// ```swift
/// enum Equipment: String, EnumerationValue { case barbell, dumbbell, machine }
/// ```
/// Prompts offer the values, each by its title, else by its name as words.
public protocol EnumerationValue: ParameterValue, RawRepresentable<String>, CaseIterable {
    /// What people call the value; by default its name as words.
    ///
    /// A user may say it in any language, in a request as in an answer. A title of several values is offered as a choice
    /// among them.
    var title: LocalizedText? { get }
}

extension EnumerationValue {
    /// Its name as words.
    public var title: LocalizedText? { nil }
    public static var typeName: String { "enum" }
    /// Reads one of the names.
    public init?(json: JSONValue) {
        guard let name = json.string else { return nil }
        self.init(rawValue: name)
    }
    /// The name.
    public var json: JSONValue { .string(self.rawValue) }
    public var words: String? { self.rawValue }
}
