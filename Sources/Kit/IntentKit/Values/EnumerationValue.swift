/// A parameter's type with named values, written by name on the wire (R11).
///
/// ```swift
/// enum Equipment: String, EnumerationValue { case barbell, dumbbell, machine }
/// ```
/// Prompts offer the values, each by its title, else by its name as words. A value that has more than a title declares a
/// ``displayRepresentation``:
///
/// ```swift
/// enum Service: String, EnumerationValue {
///     case checkup, vaccination
///
///     var displayRepresentation: DisplayRepresentation? {
///         switch self {
///         case .checkup: DisplayRepresentation(title: ["en": "Checkup", "de": "Vorsorge"], subtitle: "20 min")
///         case .vaccination: DisplayRepresentation(title: ["en": "Vaccination", "de": "Impfung"])
///         }
///     }
/// }
/// ```
public protocol EnumerationValue: ParameterValue, RawRepresentable<String>, CaseIterable {
    /// What people call the value; by default its name as words.
    ///
    /// A user may say it in any language, in a request as in an answer. A title of several values is offered as a choice
    /// among them.
    var title: LocalizedText? { get }

    /// What people see of the value, and what else they may call it; by default its title alone.
    var displayRepresentation: DisplayRepresentation? { get }
}

extension EnumerationValue {
    /// Its name as words.
    public var title: LocalizedText? { nil }
    public var displayRepresentation: DisplayRepresentation? { self.title.map { DisplayRepresentation(title: $0) } }
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
