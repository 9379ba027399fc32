/// A question with which `confirm` or `handle` goes back to the user: a parameter's value that was accepted cannot be used (R72c).
public struct HandlerQuestion: Hashable, Sendable {
    /// The parameter's name on the wire.
    public var parameter: String
    /// The index of the value in a list; nil for the whole parameter.
    public var index: Int?
    /// What is asked, as a resolver would.
    public var outcome: ResolutionOutcome

    package init(parameter: String, index: Int? = nil, outcome: ResolutionOutcome) {
        self.parameter = parameter
        self.index = index
        self.outcome = outcome
    }
}
