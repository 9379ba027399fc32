/// What stands at the property of a parameter, without its type.
///
/// A reference that never changes: prototype and key paths lead to the same one, by which a parameter is known.
final class ParameterDeclaration: Sendable {
    /// The name on the wire; nil for the property's.
    let name: String?
    /// What people call it.
    let title: String?
    /// What is said when it is asked for.
    let prompt: LocalizedText?
    /// Whether it is asked for when it is missing.
    let isRequired: Bool
    /// The values that it may have; nil for any.
    let values: [JSONValue]?
    /// The value that it takes when all others are settled.
    let defaultValue: JSONValue?
    /// Whether its value is masked.
    let isSensitive: Bool
    /// Paths to the parameters whose change unsettles it.
    let dependencies: [any AnyKeyPath & Sendable]
    /// Which bound a value breaks; nil for no bounds.
    let refuse: (@Sendable (JSONValue) -> DeclaredUnsupportedReason?)?
    /// The type of one value.
    let typeName: String
    /// Whether it holds a list.
    let isList: Bool
    /// One value in its one form on the wire; nil when it has another type.
    let canonical: @Sendable (JSONValue) -> JSONValue?
    /// Whether one value counts as missing.
    let isMissing: @Sendable (JSONValue) -> Bool
    /// The words by which one value is told from others.
    let words: @Sendable (JSONValue) -> String?

    /// Declares a parameter of a type.
    init<Value: ParameterValue>(
        _ type: Value.Type,
        name: String?,
        title: String?,
        prompt: LocalizedText?,
        isRequired: Bool,
        values: [Value.SingleValue]?,
        defaultValue: Value?,
        isSensitive: Bool,
        dependencies: [any AnyKeyPath & Sendable],
        refuse: (@Sendable (JSONValue) -> DeclaredUnsupportedReason?)?
    ) {
        self.name = name
        self.title = title
        self.prompt = prompt
        self.isRequired = isRequired
        self.values = values?.map(\.json)
        self.defaultValue = defaultValue?.json
        self.isSensitive = isSensitive
        self.dependencies = dependencies
        self.refuse = refuse
        self.typeName = Value.SingleValue.typeName
        self.isList = Value.SingleValue.self != Value.self
        self.canonical = { json in
            // A number is left as it is written, so that 3 does not become 3.0.
            Value.SingleValue(json: json).map { $0 is Double ? json : $0.json }
        }
        self.isMissing = { Value.SingleValue(json: $0)?.isMissing ?? true }
        self.words = { Value.SingleValue(json: $0)?.words }
    }
}
