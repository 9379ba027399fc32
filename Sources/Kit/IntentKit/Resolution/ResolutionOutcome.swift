/// One of the six outcomes of resolving a value, without its type (R19).
public enum ResolutionOutcome: Hashable, Sendable {
    /// The value to continue with.
    case success(JSONValue)
    /// Settled without a value; applies to the whole parameter.
    case notRequired
    /// The user is asked for a value; applies to the whole parameter when it is a list.
    case needsValue
    /// The user chooses among these.
    case disambiguation([ParameterOption])
    /// The user confirms whether this value is meant.
    indirect case confirmationRequired(ParameterOption, ReasonDescription?)
    case unsupported(ReasonDescription?)
    /// Another outcome, with the words of its prompt.
    indirect case saying(LocalizedText, ResolutionOutcome)
    /// None of the six: the interaction ends (R72b).
    indirect case ending(ResolutionEnding)

    /// The choice among these values, without words for this request.
    public static func choosing(among values: [JSONValue]) -> Self {
        .disambiguation(values.map { ParameterOption($0) })
    }

    /// The outcome with the degenerate choices replaced: a single choice becomes a question, no choice a refusal (R21).
    package var normalized: ResolutionOutcome {
        switch self {
        case .disambiguation(let options) where options.isEmpty: .unsupported(nil)
        case .disambiguation(let options) where options.count == 1: .confirmationRequired(options[0], nil)
        case .saying(let words, let outcome): .saying(words, outcome.normalized)
        case .success, .notRequired, .needsValue, .disambiguation, .confirmationRequired, .unsupported, .ending: self
        }
    }

    /// The outcome without the words of its prompt.
    package var wordless: ResolutionOutcome {
        if case .saying(_, let outcome) = self { outcome.wordless } else { self }
    }

    /// The words of its prompt; nil for the usual ones.
    package var words: LocalizedText? { if case .saying(let words, _) = self { words } else { nil } }
}

/// The response with which a resolver ends the interaction (R72b).
public struct ResolutionEnding: Hashable, Sendable {
    /// The name of the response's intent; nil where a service answers, which knows no other.
    package let intentName: String?
    package let response: HandlerResponse

    package init(intentName: String? = nil, _ response: HandlerResponse) {
        self.intentName = intentName
        self.response = response
    }

    /// Whether the code is one with which a resolver may end: a failure, or `continueInApp`.
    package static func allows(code: String?) -> Bool {
        code.map { $0.hasPrefix("failure") || $0 == "continueInApp" } ?? false
    }
}

/// A resolver's answer for a whole parameter.
public enum ParameterOutcome: Hashable, Sendable {
    /// One outcome for the parameter.
    case single(ResolutionOutcome)
    /// One outcome for each value of a list, in the same order (R20).
    case perValue([ResolutionOutcome])
}

extension ParameterOutcome {
    /// Judges a value by the declarations of its parameter.
    ///
    /// - Parameters:
    ///   - value: The value; nil when nothing was said, or only spaces.
    ///   - isList: Whether the parameter holds a list: then each value is judged by itself.
    ///   - isRequired: Whether the user is asked for it when it is missing.
    ///   - judge: Judges one value.
    /// - Returns: One outcome, or one for each value of a list (R20).
    package static func judging(
        _ value: JSONValue?,
        isList: Bool,
        isRequired: Bool,
        _ judge: (JSONValue) -> ResolutionOutcome
    ) -> ParameterOutcome {
        guard let value else { return .single(isRequired ? .needsValue : .notRequired) }
        guard isList else { return .single(judge(value)) }
        guard let values = value.array else { return .single(.unsupported(forReason: .wrongType)) }
        return .perValue(values.map(judge))
    }

    /// Merges a resolver's outcomes for some values of a list into the outcomes of all.
    ///
    /// The resolver was asked only about the values that were good so far.
    ///
    /// One answer that applies to the whole list, or a wrong number of them, stays as it is.
    /// - Returns: The outcomes of all, in order.
    package static func merging(_ answered: ParameterOutcome, into outcomes: [ResolutionOutcome]) -> ParameterOutcome {
        guard case .perValue(var answers) = answered, answers.count == outcomes.count(where: \.isSuccess) else {
            return answered
        }
        answers.reverse()
        return .perValue(outcomes.map { $0.isSuccess ? answers.removeLast() : $0 })
    }
}

extension ResolutionOutcome {
    /// The response with which it ends the interaction; nil for any other outcome.
    package var ending: ResolutionEnding? { if case .ending(let ending) = self { ending } else { nil } }

    /// The value to continue with; nil for any other outcome.
    package var success: JSONValue? { if case .success(let value) = self { value } else { nil } }

    var isSuccess: Bool { self.success != nil }
}
