/// Why a parameter does not take a value by what is declared of it, in a file or at its property.
public enum DeclaredUnsupportedReason: Int, UnsupportedReason {
    /// It has another type.
    case wrongType = 1
    /// It is none of the parameter's `values`, nor like one.
    case notAmongValues = 2
    /// It is less than `minimum`.
    case belowMinimum = 3
    /// It is more than `maximum`.
    case aboveMaximum = 4
    /// It does not match `pattern`.
    case patternMismatch = 5
    /// It is in another currency than `minimum` or `maximum`.
    case currencyNotSupported = 6
}

extension ResolutionOutcome {
    /// The value cannot be taken, for one of a declared parameter's reasons.
    package static func unsupported(forReason reason: DeclaredUnsupportedReason) -> Self {
        .unsupported(ReasonDescription(reason))
    }
}
