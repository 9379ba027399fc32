/// What a resolver answers for one value of a parameter: SiriKit's `IN…ResolutionResult`.
///
/// There are six outcomes (R19). Only parameters with a list of reasons can give one.
///
/// ```swift
/// func resolveContent(for intent: INSendMessageIntent, with context: TurnContext) async throws
///     -> INStringResolutionResult
/// {
///     guard let text = intent.content, !text.isMissing else { return .needsValue() }
///     return .success(with: text)
/// }
/// ```
public struct ParameterResolution<Value: ParameterValue, Reason: UnsupportedReason>: Sendable {
    /// The outcome without its types.
    package let outcome: ResolutionOutcome

    /// The value is accepted; it may differ from what the user said (behaviour 15).
    public static func success(with value: Value) -> Self { Self(outcome: .success(value.json)) }

    /// The parameter is settled without a value (behaviour 16); for a list, the whole list is.
    public static func notRequired() -> Self { Self(outcome: .notRequired) }

    /// The user is asked for a value (behaviour 19).
    public static func needsValue() -> Self { Self(outcome: .needsValue) }

    /// The user is asked whether this value is meant (behaviour 18).
    public static func confirmationRequired(with value: Value) -> Self {
        Self(outcome: .confirmationRequired(ParameterOption(value.json), nil))
    }

    /// The user picks one of these (behaviour 17).
    ///
    /// One value becomes `confirmationRequired` of it, none `unsupported` (R21).
    public static func disambiguation(with values: [Value]) -> Self {
        Self(outcome: .choosing(among: values.map(\.json)))
    }

    /// The user picks one of these, which are shown with these words (R71).
    ///
    /// ```swift
    /// Resolve(\.$exercise) { said, context in
    ///     .disambiguation(with: ["press", "squat"]) { name in
    ///         DisplayRepresentation(title: LocalizedText(name), subtitle: ["en": "in the gym", "de": "im Studio"])
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - values: The values.
    ///   - display: The words of a value for this request; nil for the declared ones.
    /// - Returns: The outcome.
    public static func disambiguation(
        with values: [Value],
        display: (Value) throws -> DisplayRepresentation?
    ) rethrows -> Self {
        let options = try values.map { ParameterOption($0.json, display: try display($0)) }
        return Self(outcome: .disambiguation(options))
    }

    /// The user is asked whether this value is meant, which is shown with these words (R71).
    public static func confirmationRequired(with value: Value, display: DisplayRepresentation) -> Self {
        Self(outcome: .confirmationRequired(ParameterOption(value.json, display: display), nil))
    }

    /// The prompt says that the value is not accepted, and asks for another.
    public static func unsupported() -> Self { Self(outcome: .unsupported(nil)) }

    /// The interaction ends: no answer of the user would help (R72b).
    ///
    /// ```swift
    /// Resolve(\.$exercise) { said, context in
    ///     guard !exercises.isEmpty else {
    ///         let app = UserActivity(title: "Add an exercise")
    ///         return .ending(IntentResponse<LogSet>(code: .failure, userActivity: app))
    ///     }
    ///     return .disambiguation(with: exercises)
    /// }
    /// ```
    /// - Parameter response: A response of the handled intent, with a code that begins with `failure`, or with
    ///   `continueInApp`. Any other one is an error.
    /// - Returns: The end.
    public static func ending<IntentType: Intent>(_ response: IntentResponse<IntentType>) -> Self {
        Self(outcome: .ending(ResolutionEnding(intentName: IntentType.intentName, HandlerResponse(response))))
    }

    /// The same outcome, with the words of the prompt for this request.
    ///
    /// ```swift
    /// return .needsValue().saying(["en": "How many \(unit)?", "de": "Wie viele \(unit)?"])
    /// ```
    /// They are used if they are in the user's language, or for everybody. A ``success(with:)`` asks nothing.
    public func saying(_ words: LocalizedText) -> Self {
        switch self.outcome {
        case .success, .notRequired, .ending: self
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported, .saying:
            Self(outcome: .saying(words, self.outcome.wordless))
        }
    }
}

extension ParameterResolution where Reason: CaseIterable {
    /// The prompt says why the value is not accepted, and asks for another.
    public static func unsupported(forReason reason: Reason) -> Self {
        Self(outcome: .unsupported(ReasonDescription(reason)))
    }

    /// The prompt says why this value needs a confirmation, and shows it with these words (R71).
    public static func confirmationRequired(
        with value: Value,
        display: DisplayRepresentation,
        forReason reason: Reason
    ) -> Self {
        let option = ParameterOption(value.json, display: display)
        return Self(outcome: .confirmationRequired(option, ReasonDescription(reason)))
    }

    /// The prompt says why this value needs a confirmation.
    public static func confirmationRequired(with value: Value, forReason reason: Reason) -> Self {
        Self(outcome: .confirmationRequired(ParameterOption(value.json), ReasonDescription(reason)))
    }
}

public typealias INStringResolutionResult = ParameterResolution<String, NoReason>
/// The result for a phrase with an identifier.
public typealias INSpeakableStringResolutionResult = ParameterResolution<INSpeakableString, NoReason>
public typealias INPersonResolutionResult = ParameterResolution<INPerson, NoReason>
public typealias INBooleanResolutionResult = ParameterResolution<Bool, NoReason>
public typealias INIntegerResolutionResult = ParameterResolution<Int, NoReason>
public typealias INDoubleResolutionResult = ParameterResolution<Double, NoReason>
public typealias INPlacemarkResolutionResult = ParameterResolution<Placemark, NoReason>
public typealias INCurrencyAmountResolutionResult = ParameterResolution<INCurrencyAmount, NoReason>
public typealias INDateComponentsRangeResolutionResult = ParameterResolution<INDateComponentsRange, NoReason>
