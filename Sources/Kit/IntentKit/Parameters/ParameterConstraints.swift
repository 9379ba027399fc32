/// What is declared about the values of a parameter, for prompts and for people who look at an intent.
///
/// The parameter's rules decide about a value.
package struct ParameterConstraints: Sendable {
    /// Whether the user is asked for it when it is missing, before any resolver.
    package var isRequired: Bool
    /// The values that it may have, including those of an enumeration; nil for any.
    package var values: [JSONValue]?
    /// The words of those values that have some, such as those of an enumeration.
    package var displays: [JSONValue: DisplayRepresentation] = [:]
    /// The words of a value that is an entity, made of the value itself; nil for other types.
    package var entityDisplay: (@Sendable (JSONValue) -> DisplayRepresentation?)?
    package var minimum: JSONValue?
    package var maximum: JSONValue?
    /// The regular expression that a whole value has to match.
    package var pattern: String?
    /// The value that is applied when all others are settled and it is still missing.
    package var defaultValue: JSONValue?
    /// Whether the handler or a service resolves it, and so may ask, choose and refuse beyond what is declared.
    package var isResolvedByHandler = false

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

    /// The values that a prompt offers as choices; empty when there are too many.
    ///
    /// `unknown` is SiriKit's name for none of an enumeration's values.
    package var offered: [JSONValue] {
        let values = (self.values ?? []).filter { $0 != "unknown" }
        return values.count <= AllowedValues.maximumOptions ? values : []
    }
}
