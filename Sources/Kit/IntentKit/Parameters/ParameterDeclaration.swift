/// The declaration at the property of a parameter, without its type.
///
/// It is a reference that never changes: prototype and key paths lead to the same one, which identifies the parameter.
final class ParameterDeclaration: Sendable {
    /// The name on the wire; nil for the property's.
    let name: String?
    let title: LocalizedText?
    let prompt: LocalizedText?
    /// Whether it is asked for when it is missing.
    let isRequired: Bool
    /// The values that it may have; nil for any.
    let values: [JSONValue]?
    /// The value that is applied when all others are settled.
    let defaultValue: JSONValue?
    /// Whether its value is masked.
    let isSensitive: Bool
    /// Whether interactions are listed and found by its value.
    let isSearchable: Bool
    /// Paths to the parameters whose change unsettles it.
    let dependencies: [any AnyKeyPath & Sendable]
    /// The minimum, for people.
    let minimum: JSONValue?
    /// The maximum, for people.
    let maximum: JSONValue?
    /// Finds the bound that a value breaks; nil for no bounds.
    let refuse: (@Sendable (JSONValue) -> DeclaredUnsupportedReason?)?
    /// The names of the type's values, when it is an enumeration.
    let enumerated: [JSONValue]?
    /// The words of those values of an enumeration that have some.
    let displays: [JSONValue: DisplayRepresentation]
    /// The words of a value that is an entity; nil for other types.
    let entityDisplay: (@Sendable (JSONValue) -> DisplayRepresentation?)?
    /// The type of one value.
    let typeName: String
    let isList: Bool
    /// Converts one value to its canonical form on the wire; nil when it has another type.
    let canonical: @Sendable (JSONValue) -> JSONValue?
    /// Whether one value counts as missing.
    let isMissing: @Sendable (JSONValue) -> Bool
    /// The words by which one value is matched.
    let words: @Sendable (JSONValue) -> String?

    init<Value: ParameterValue>(
        _ type: Value.Type,
        name: String?,
        title: LocalizedText?,
        prompt: LocalizedText?,
        isRequired: Bool,
        values: [Value.SingleValue]?,
        defaultValue: Value?,
        isSensitive: Bool,
        isSearchable: Bool,
        dependencies: [any AnyKeyPath & Sendable],
        minimum: JSONValue?,
        maximum: JSONValue?,
        refuse: (@Sendable (JSONValue) -> DeclaredUnsupportedReason?)?
    ) {
        self.name = name
        self.title = title
        self.prompt = prompt
        self.isRequired = isRequired
        self.values = values?.map(\.json)
        self.defaultValue = defaultValue?.json
        self.isSensitive = isSensitive
        self.isSearchable = isSearchable
        self.dependencies = dependencies
        self.minimum = minimum
        self.maximum = maximum
        self.refuse = refuse
        self.enumerated = (Value.SingleValue.self as? any EnumerationValue.Type).map { Self.names(of: $0) }
        self.displays = (Value.SingleValue.self as? any EnumerationValue.Type).map { Self.displays(of: $0) } ?? [:]
        if Value.SingleValue.self is any EntityValue.Type {
            self.entityDisplay = { (Value.SingleValue(json: $0) as? any EntityValue)?.displayRepresentation }
        } else {
            self.entityDisplay = nil
        }
        self.typeName = Value.SingleValue.typeName
        self.isList = Value.SingleValue.self != Value.self
        self.canonical = { json in
            // A number is left as it was written, so that 3 does not become 3.0.
            Value.SingleValue(json: json).map { $0 is Double ? json : $0.json }
        }
        self.isMissing = { Value.SingleValue(json: $0)?.isMissing ?? true }
        self.words = { Value.SingleValue(json: $0)?.words }
    }

    /// What is declared about the values, for people who look at the intent.
    var constraints: ParameterConstraints {
        var constraints = ParameterConstraints(
            isRequired: self.isRequired,
            values: self.values ?? self.enumerated,
            minimum: self.minimum,
            maximum: self.maximum,
            defaultValue: self.defaultValue
        )
        constraints.displays = self.displays
        constraints.entityDisplay = self.entityDisplay
        return constraints
    }

    private static func names<Value: EnumerationValue>(of type: Value.Type) -> [JSONValue] {
        type.allCases.map(\.json)
    }

    private static func displays<Value: EnumerationValue>(
        of type: Value.Type
    ) -> [JSONValue: DisplayRepresentation] {
        var displays: [JSONValue: DisplayRepresentation] = [:]
        for value in type.allCases { displays[value.json] = value.displayRepresentation }
        return displays
    }
}
