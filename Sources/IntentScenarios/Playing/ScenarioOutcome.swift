/// What became of a scenario.
package enum ScenarioOutcome: Hashable, Sendable {
    /// Everything came as expected.
    case matched
    /// Something else came: what was expected, and what came.
    case mismatched([String])
    /// It could not be played to its end: why.
    case executionError(String)
}
