public import IntentKit

/// A parameter of a declared intent (R50).
public struct ParameterDefinition: Sendable {
    /// The name on the wire.
    public let name: String
    /// A title for people, in one language or in several.
    public let title: LocalizedText?
    /// The type of one value.
    public let type: DeclaredType
    /// Whether it holds a list of values.
    public let isList: Bool
    /// Whether the user is asked for it when it is missing.
    public let isRequired: Bool
    /// A value that is always valid, whatever else holds.
    public let any: JSONValue?
    /// The value that it takes when all required ones are settled and it is still missing.
    public internal(set) var defaultValue: JSONValue?
    public let minimum: JSONValue?
    public let maximum: JSONValue?
    /// Whether its value is masked wherever people can see it (R40).
    public let isSensitive: Bool
    /// Whether operators can list and find interactions by its value (R90).
    public let isSearchable: Bool
    /// The texts of its prompt, by locale.
    public let prompts: [String: String]
    /// The vocabulary in which its words are looked up, besides `values`; nil for none.
    public let vocabulary: ParameterVocabulary?
    /// Parameters whose change makes this one unresolved again (R18).
    public let dependsOn: Set<String>

    /// The reasons that a service may give for its answers, with their numbers.
    public let reasons: [String: Int]

    var allowed: AllowedValues?
    let textPattern: TextPattern?

    /// The words of those `values` that have some (R71).
    public internal(set) var displays: [JSONValue: DisplayRepresentation] = [:]

    /// The values that it may have; nil when any value is allowed.
    public var values: [JSONValue]? { self.allowed?.values }
    /// The regular expression that a whole value must match.
    public var pattern: String? { self.textPattern?.source }

    /// The prompt's text in a locale: the locale's own text, else that of its language, else that of another region.
    func prompt(locale: String) -> String? { LocalizedText(self.prompts).text(locale: locale) }
}
