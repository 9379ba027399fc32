/// The description of a parameter without its Swift type.
public struct ParameterDescription: Sendable {
    /// The name on the wire.
    public var name: String
    /// What people call it; nil if it has only its name.
    public var title: LocalizedText?
    /// The type of one value, such as `person`.
    public var typeName: String
    /// Whether it holds a list of values.
    public var isList: Bool
    /// Parameters whose change unsettles this one.
    public var dependsOn: Set<String>
    /// Whether its value is masked wherever people look (R40).
    public var isSensitive: Bool
    /// Whether operators can list and find interactions by its value (R90).
    public var isSearchable: Bool
    /// Whether one value has the right type.
    package var accepts: @Sendable (JSONValue) -> Bool
    /// Whether one value counts as missing (R21).
    package var isMissing: @Sendable (JSONValue) -> Bool

    /// Describes a parameter.
    ///
    /// - Parameters:
    ///   - name: The name on the wire.
    ///   - title: What people call it, in one language or in several; prompts use it.
    ///   - typeName: The type of one value.
    ///   - isList: Whether it holds a list.
    ///   - dependsOn: Parameters whose change unsettles this one.
    ///   - isSensitive: Whether its value is masked.
    ///   - isSearchable: Whether interactions can be found by its value; a sensitive one cannot be.
    ///   - accepts: Whether one value has the right type.
    ///   - isMissing: Whether one value counts as missing.
    public init(
        name: String,
        title: LocalizedText? = nil,
        typeName: String,
        isList: Bool = false,
        dependsOn: Set<String> = [],
        isSensitive: Bool = false,
        isSearchable: Bool = false,
        accepts: @escaping @Sendable (JSONValue) -> Bool,
        isMissing: @escaping @Sendable (JSONValue) -> Bool
    ) {
        self.name = name
        self.title = title
        self.typeName = typeName
        self.isList = isList
        self.dependsOn = dependsOn
        self.isSensitive = isSensitive
        self.isSearchable = isSearchable && !isSensitive
        self.accepts = accepts
        self.isMissing = isMissing
    }
}
