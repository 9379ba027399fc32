/// One parameter of an intent: its name on the wire and the property that holds it.
public struct IntentParameter<IntentType: Intent>: Sendable {
    /// What is known of the parameter without its type.
    public let description: ParameterDescription
    /// The property.
    package let keyPath: any (PartialKeyPath<IntentType> & Sendable)
    /// Sets the property from the wire form, if the type fits.
    package let write: @Sendable (JSONValue, inout IntentType) -> Void

    /// Names a property as a parameter.
    ///
    /// - Parameters:
    ///   - name: The parameter's name in events.
    ///   - keyPath: The property that holds it.
    ///   - title: What people call it; prompts ask for it by this.
    ///   - dependsOn: Parameters whose change unsettles this one: it is resolved again (R18).
    ///   - isSensitive: Whether its value is masked wherever people look (R40).
    public init<Value: ParameterValue>(
        _ name: String,
        _ keyPath: any (WritableKeyPath<IntentType, Value?> & Sendable),
        title: String? = nil,
        dependsOn: Set<String> = [],
        isSensitive: Bool = false
    ) {
        self.description = ParameterDescription(
            name: name,
            title: title,
            typeName: Value.typeName,
            isList: false,
            dependsOn: dependsOn,
            isSensitive: isSensitive,
            accepts: { Value(json: $0) != nil },
            isMissing: { Value(json: $0)?.isMissing ?? true }
        )
        self.keyPath = keyPath
        self.write = { json, intent in intent[keyPath: keyPath] = Value(json: json) }
    }

    /// Names a property that holds a list; its values are resolved one by one (R20).
    public init<Value: ParameterValue>(
        _ name: String,
        _ keyPath: any (WritableKeyPath<IntentType, [Value]?> & Sendable),
        title: String? = nil,
        dependsOn: Set<String> = [],
        isSensitive: Bool = false
    ) {
        self.description = ParameterDescription(
            name: name,
            title: title,
            typeName: Value.typeName,
            isList: true,
            dependsOn: dependsOn,
            isSensitive: isSensitive,
            accepts: { Value(json: $0) != nil },
            isMissing: { Value(json: $0)?.isMissing ?? true }
        )
        self.keyPath = keyPath
        self.write = { json, intent in intent[keyPath: keyPath] = [Value](json: json) }
    }
}
