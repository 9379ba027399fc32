extension IntentResponse {
    /// Asks the user for another value of a parameter, instead of ending: the interaction goes back to it (R72c).
    ///
    /// ```swift
    /// Confirm { intent, context in
    ///     guard intent.exercise == "swimming" else { return IntentResponse(code: .ready) }
    ///     return .asking(\.$exercise, .disambiguation(with: exercises).saying("The pool is closed. Which other one?"))
    /// }
    /// ```
    /// The question is put at the parameter's place among the others, until the user gives another value. The value
    /// goes through the resolver. `handle` may ask before it has made an effect, or if each that it has made has an ``Undo``.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - question: What a resolver would answer: any outcome that asks.
    /// - Returns: The response.
    public static func asking<Value: ParameterValue>(
        _ path: any KeyPath<IntentType, Parameter<Value>> & Sendable,
        _ question: ParameterResolution<Value.SingleValue, NoReason>
    ) -> Self {
        Self.asking(path, nil, question.outcome)
    }

    /// Asks the user for another value of a parameter, with a reason from a list.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - reasons: The list of reasons.
    ///   - question: What a resolver would answer: any outcome that asks.
    /// - Returns: The response.
    public static func asking<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<IntentType, Parameter<Value>> & Sendable,
        reasons: Reason.Type,
        _ question: ParameterResolution<Value.SingleValue, Reason>
    ) -> Self {
        Self.asking(path, nil, question.outcome)
    }

    /// Asks the user for another value in place of one value of a list.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - index: The index of the value.
    ///   - question: What a resolver would answer: any outcome that asks.
    /// - Returns: The response.
    public static func asking<Value: ParameterValue>(
        _ path: any KeyPath<IntentType, Parameter<[Value]>> & Sendable,
        at index: Int,
        _ question: ParameterResolution<Value, NoReason>
    ) -> Self {
        Self.asking(path, index, question.outcome)
    }

    /// Asks the user for another value in place of one value of a list, with a reason from a list.
    ///
    /// - Parameters:
    ///   - path: The parameter.
    ///   - index: The index of the value.
    ///   - reasons: The list of reasons.
    ///   - question: What a resolver would answer: any outcome that asks.
    /// - Returns: The response.
    public static func asking<Value: ParameterValue, Reason: UnsupportedReason>(
        _ path: any KeyPath<IntentType, Parameter<[Value]>> & Sendable,
        at index: Int,
        reasons: Reason.Type,
        _ question: ParameterResolution<Value, Reason>
    ) -> Self {
        Self.asking(path, index, question.outcome)
    }

    private static func asking(
        _ path: any PartialKeyPath<IntentType> & Sendable,
        _ index: Int?,
        _ outcome: ResolutionOutcome
    ) -> Self {
        let description = IntentDescription<IntentType>.known()
        // A path to another property has no name; the turn says so.
        let name = description.index(of: path).map { description.members[$0].description.name } ?? ""
        var response = Self(code: .failure)
        response.question = HandlerQuestion(parameter: name, index: index, outcome: outcome)
        return response
    }
}
