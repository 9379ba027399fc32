package enum ScenarioOutcome: Hashable, Sendable {
    case matched
    /// The result was different: the expected and the actual one, in words.
    case mismatched([String])
    /// It could not be played to its end, with the reason.
    case executionError(String)
}
