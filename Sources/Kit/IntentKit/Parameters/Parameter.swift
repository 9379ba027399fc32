/// A parameter of an intent: its value, and its declaration at the property.
///
/// ```swift
/// struct LogSet: Intent {
///     @Parameter(title: "Exercise", prompt: "Which exercise?") var exercise: String?
///     @Parameter(isRequired: true, in: 1...100) var reps: Int?
///     @Parameter(dependsOn: [\Self.$exercise]) var weight: Double?
///     @Parameter var tags: [String]?
/// }
/// ```
/// A value may be missing, so the property is optional. A list's values are resolved one by one (R20); declarations
/// about values apply to each of them.
///
/// The declarations are applied before the handler's resolver: a missing required value is asked for, and a refused
/// value is asked for again. The resolver gets the remaining values.
@propertyWrapper
public struct Parameter<Value: ParameterValue>: Sendable {
    /// The value; nil if there is none.
    public var wrappedValue: Value?
    /// The declaration at the property; nil except in the prototype that describes the intent's type.
    let declaration: ParameterDeclaration?

    /// The parameter itself: `\.$exercise` names it.
    public var projectedValue: Self { self }

    /// Declares a parameter with only its name and type.
    public init() { self.init(name: nil) }

    /// Declares a parameter.
    ///
    /// - Parameters:
    ///   - name: The name on the wire; nil for the property's.
    ///   - title: What people call it.
    ///   - prompt: The question that asks for it.
    ///   - isRequired: Whether the user is asked for it when it is missing, before any resolver.
    ///   - values: The values that it may have; other words are matched with them.
    ///   - default: The value that is applied when all others are settled and it is still missing.
    ///   - dependencies: Parameters whose change unsettles this one: it is resolved again (R18). Of two that depend on
    ///     each other, one names the other through a constant with an explicit type.
    ///   - isSensitive: Whether its value is masked wherever people look (R40).
    ///   - isSearchable: Whether operators can list and find interactions by its value (R90); a sensitive one cannot be.
    public init(
        name: String? = nil,
        title: @autoclosure () -> LocalizedText? = nil,
        prompt: @autoclosure () -> LocalizedText? = nil,
        isRequired: Bool = false,
        values: @autoclosure () -> [Value.SingleValue]? = nil,
        default: @autoclosure () -> Value? = nil,
        dependsOn dependencies: @autoclosure () -> [any AnyKeyPath & Sendable] = [],
        isSensitive: Bool = false,
        isSearchable: Bool = false
    ) {
        self.wrappedValue = nil
        guard IntentDescribing.isActive else {
            self.declaration = nil
            return
        }
        self.declaration = ParameterDeclaration(
            Value.self,
            name: name,
            title: title(),
            prompt: prompt(),
            isRequired: isRequired,
            values: values(),
            defaultValue: `default`(),
            isSensitive: isSensitive,
            isSearchable: isSearchable,
            dependencies: dependencies(),
            minimum: nil,
            maximum: nil,
            refuse: nil
        )
    }

    /// Declares a parameter whose values have a lower or an upper bound.
    ///
    /// - Parameters:
    ///   - name: The name on the wire; nil for the property's.
    ///   - title: What people call it.
    ///   - prompt: The question that asks for it.
    ///   - isRequired: Whether the user is asked for it when it is missing, before any resolver.
    ///   - bounds: The range of its values, such as `1...100`, `0...` or `...12`.
    ///   - values: The values that it may have; other words are matched with them.
    ///   - default: The value that is applied when all others are settled and it is still missing.
    ///   - dependencies: Parameters whose change unsettles this one: it is resolved again (R18).
    ///   - isSensitive: Whether its value is masked wherever people look (R40).
    ///   - isSearchable: Whether operators can list and find interactions by its value (R90); a sensitive one cannot be.
    public init<Bounds: ParameterBounds<Value.SingleValue> & Sendable>(
        name: String? = nil,
        title: @autoclosure () -> LocalizedText? = nil,
        prompt: @autoclosure () -> LocalizedText? = nil,
        isRequired: Bool = false,
        in bounds: Bounds,
        values: @autoclosure () -> [Value.SingleValue]? = nil,
        default: @autoclosure () -> Value? = nil,
        dependsOn dependencies: @autoclosure () -> [any AnyKeyPath & Sendable] = [],
        isSensitive: Bool = false,
        isSearchable: Bool = false
    ) {
        self.wrappedValue = nil
        guard IntentDescribing.isActive else {
            self.declaration = nil
            return
        }
        self.declaration = ParameterDeclaration(
            Value.self,
            name: name,
            title: title(),
            prompt: prompt(),
            isRequired: isRequired,
            values: values(),
            defaultValue: `default`(),
            isSensitive: isSensitive,
            isSearchable: isSearchable,
            dependencies: dependencies(),
            minimum: bounds.least?.json,
            maximum: bounds.most?.json,
            refuse: { json in Value.SingleValue(json: json).flatMap(bounds.refusal(of:)) }
        )
    }
}

extension Parameter: Decodable {
    /// Reads the value from an interaction's values.
    ///
    /// - Throws: `DecodingError` from any other decoder: an intent is read from an interaction.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? ParameterDecoder else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "An intent is read from an interaction's values only."
                )
            )
        }
        // No closure here: it would allocate.
        if let json = decoder.value { self.wrappedValue = Value(json: json) } else { self.wrappedValue = nil }
        self.declaration = nil
    }
}

extension Parameter: DeclaredParameter {
    var json: JSONValue? { self.wrappedValue?.json }
}

/// A parameter of any type, as the target of a key path.
protocol DeclaredParameter {
    /// The declaration at the property; nil except in the prototype that describes the intent's type.
    var declaration: ParameterDeclaration? { get }
    /// The value's wire form; nil if there is none.
    var json: JSONValue? { get }
}
