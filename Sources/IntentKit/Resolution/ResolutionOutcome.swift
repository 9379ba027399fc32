/// One of the six outcomes of resolving a value, without its type (R19).
public enum ResolutionOutcome: Hashable, Sendable {
    /// The value to go on with.
    case success(JSONValue)
    /// Settled without a value; speaks for the whole parameter.
    case notRequired
    /// The user is to be asked for a value; speaks for the whole parameter when it is a list.
    case needsValue
    /// The user is to choose among these.
    case disambiguation([JSONValue])
    /// The user is to say whether this value is meant.
    case confirmationRequired(JSONValue, ReasonDescription?)
    /// The value cannot be taken.
    case unsupported(ReasonDescription?)

    /// The outcome with the degenerate choices replaced: of one a question, of none a refusal (R21).
    package var normalized: ResolutionOutcome {
        switch self {
        case .disambiguation(let options) where options.isEmpty: .unsupported(nil)
        case .disambiguation(let options) where options.count == 1: .confirmationRequired(options[0], nil)
        case .success, .notRequired, .needsValue, .disambiguation, .confirmationRequired, .unsupported: self
        }
    }
}

/// What a resolver answers for a whole parameter.
public enum ParameterOutcome: Hashable, Sendable {
    /// One outcome for the parameter.
    case single(ResolutionOutcome)
    /// One outcome for each value of a list, in the same order (R20).
    case perValue([ResolutionOutcome])
}
