/// A parameter of an intent: its value, and at the property everything that is known of it.
///
/// ```swift
/// struct LogSet: Intent {
///     @Parameter(title: "Exercise", prompt: "Which exercise?") var exercise: String?
///     @Parameter(isRequired: true, in: 1...100) var reps: Int?
///     @Parameter(dependsOn: [\Self.$exercise]) var weight: Double?
///     @Parameter var tags: [String]?
/// }
/// ```
/// A value is there or not, so the property is optional. A list's values are resolved one by one (R20); what is declared
/// of values holds for each of them.
///
/// What is declared is carried out before the handler's resolver: one that is required and missing is asked for, and a
/// value that is refused is asked for again. The resolver gets what is left.
@propertyWrapper
public struct Parameter<Value: ParameterValue>: Sendable {
    /// The value; nil while there is none.
    public var wrappedValue: Value?
    /// What is declared at the property; nil but in the prototype by which the intent's type is described.
    let declaration: ParameterDeclaration?

    /// The parameter itself: `\.$exercise` names it.
    public var projectedValue: Self { self }

    /// Declares a parameter of which nothing is known but its name and type.
    public init() { self.init(name: nil) }

    /// Declares a parameter.
    ///
    /// - Parameters:
    ///   - name: The name on the wire; nil for the property's.
    ///   - title: What people call it.
    ///   - prompt: What is said when it is asked for.
    ///   - isRequired: Whether the user is asked for it when it is missing, before any resolver.
    ///   - values: The values that it may have; others are matched with them, by words.
    ///   - default: The value that it takes when all others are settled and it is still missing.
    ///   - dependencies: Parameters whose change unsettles this one: it is resolved again (R18). Of two that depend on
    ///     each other, one names the other through a constant with a written type.
    ///   - isSensitive: Whether its value is masked wherever people look (R40).
    public init(
        name: String? = nil,
        title: @autoclosure () -> LocalizedText? = nil,
        prompt: @autoclosure () -> LocalizedText? = nil,
        isRequired: Bool = false,
        values: @autoclosure () -> [Value.SingleValue]? = nil,
        default: @autoclosure () -> Value? = nil,
        dependsOn dependencies: @autoclosure () -> [any AnyKeyPath & Sendable] = [],
        isSensitive: Bool = false
    ) {
        self.wrappedValue = nil
        guard IntentDescribing.isUnderWay else {
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
            dependencies: dependencies(),
            minimum: nil,
            maximum: nil,
            refuse: nil
        )
    }

    /// Declares a parameter whose values are not less, or not more, than others.
    ///
    /// - Parameters:
    ///   - name: The name on the wire; nil for the property's.
    ///   - title: What people call it.
    ///   - prompt: What is said when it is asked for.
    ///   - isRequired: Whether the user is asked for it when it is missing, before any resolver.
    ///   - bounds: What its values lie in, such as `1...100`, `0...` or `...12`.
    ///   - values: The values that it may have; others are matched with them, by words.
    ///   - default: The value that it takes when all others are settled and it is still missing.
    ///   - dependencies: Parameters whose change unsettles this one: it is resolved again (R18).
    ///   - isSensitive: Whether its value is masked wherever people look (R40).
    public init<Bounds: ParameterBounds<Value.SingleValue> & Sendable>(
        name: String? = nil,
        title: @autoclosure () -> LocalizedText? = nil,
        prompt: @autoclosure () -> LocalizedText? = nil,
        isRequired: Bool = false,
        in bounds: Bounds,
        values: @autoclosure () -> [Value.SingleValue]? = nil,
        default: @autoclosure () -> Value? = nil,
        dependsOn dependencies: @autoclosure () -> [any AnyKeyPath & Sendable] = [],
        isSensitive: Bool = false
    ) {
        self.wrappedValue = nil
        guard IntentDescribing.isUnderWay else {
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
            dependencies: dependencies(),
            minimum: bounds.least?.json,
            maximum: bounds.most?.json,
            refuse: { json in Value.SingleValue(json: json).flatMap(bounds.refusal(of:)) }
        )
    }
}

extension Parameter: Decodable {
    /// Takes the value out of an interaction's values.
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
        // No closure: it would take memory of its own.
        if let json = decoder.value { self.wrappedValue = Value(json: json) } else { self.wrappedValue = nil }
        self.declaration = nil
    }
}

extension Parameter: DeclaredParameter {}

/// A parameter of any type: what a key path may lead to.
protocol DeclaredParameter {
    /// What is declared at the property; nil but in the prototype by which the intent's type is described.
    var declaration: ParameterDeclaration? { get }
}
