/// Why the declarations of a parameter, in a file or at its property, refuse a value.
public enum DeclaredUnsupportedReason: Int, UnsupportedReason {
    case wrongType = 1
    /// It is none of the parameter's `values`, and resembles none.
    case notAmongValues = 2
    case belowMinimum = 3
    case aboveMaximum = 4
    case patternMismatch = 5
    /// It is in another currency than `minimum` or `maximum`.
    case currencyNotSupported = 6
}

extension ResolutionOutcome {
    /// The value is refused for one of a declared parameter's reasons.
    package static func unsupported(forReason reason: DeclaredUnsupportedReason) -> Self {
        .unsupported(ReasonDescription(reason))
    }
}
