/// What is known beforehand of the values of a parameter, for those who look at an intent, and
/// for prompts; what is decided of a value, its rules decide.
package struct ParameterConstraints: Sendable {
    /// Whether the user is asked for it when it is missing, before any resolver.
    package var isRequired: Bool
    /// The values that it may have, those of an enumeration too; nil for any.
    package var values: [JSONValue]?
    /// What people call those of the values that have titles, as those of an enumeration may.
    package var titles: [JSONValue: LocalizedText] = [:]
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

    /// The values that a prompt offers to choose from; none when there are too many to choose from.
    ///
    /// `unknown` is SiriKit's name for none of an enumeration's values.
    package var offered: [JSONValue] {
        let values = (self.values ?? []).filter { $0 != "unknown" }
        return values.count <= AllowedValues.maximumOptions ? values : []
    }
}
