/// What is known beforehand of the values of a parameter, for those who look at an intent; turns do not use it.
package struct ParameterConstraints: Sendable {
    /// Whether the user is asked for it when it is missing, before any resolver.
    package var isRequired: Bool
    /// The values that it may have, those of an enumeration too; nil for any.
    package var values: [JSONValue]?
    /// The least that a value may be.
    package var minimum: JSONValue?
    /// The most that a value may be.
    package var maximum: JSONValue?
    /// The regular expression that a whole value has to match.
    package var pattern: String?
    /// The value that it takes when all others are settled and it is still missing.
    package var defaultValue: JSONValue?
    /// Whether the handler resolves it, or a service does: it may ask, choose and refuse beyond what is declared.
    package var isResolvedByHandler = false

    /// Describes a parameter's values.
    package init(
        isRequired: Bool,
        values: [JSONValue]?,
        minimum: JSONValue?,
        maximum: JSONValue?,
        pattern: String? = nil,
        defaultValue: JSONValue?
    ) {
        self.isRequired = isRequired
        self.values = values
        self.minimum = minimum
        self.maximum = maximum
        self.pattern = pattern
        self.defaultValue = defaultValue
    }
}
