internal import IntentKit

/// Why a value is refused, as far as the declarations of its parameter say.
enum Refusal: Hashable {
    case wrongType
    case notAmongValues
    case belowMinimum
    case aboveMaximum
    case patternMismatch
    case currencyNotSupported
    /// The handler has a reason of its own, in words, or none.
    case other(String?)

    /// The refusal that a reason means.
    ///
    /// - Parameters:
    ///   - reason: The reason; nil for none.
    ///   - isOfType: Whether the value has the parameter's type.
    ///   - text: The words that a file or the reason itself has; nil where there are none.
    ///   - words: The same, or the words of its name where they may be said.
    init(
        _ reason: ReasonDescription?,
        isOfType: Bool,
        text: (ReasonDescription) -> String?,
        words: (ReasonDescription) -> String?
    ) {
        guard let reason else {
            self = isOfType ? .other(nil) : .wrongType
            return
        }
        if let text = text(reason) {
            self = .other(text)
            return
        }
        let declared = DeclaredUnsupportedReason.allCases.first { $0.name == reason.name }
        self =
            switch declared {
            case .wrongType?: .wrongType
            case .notAmongValues?: .notAmongValues
            case .belowMinimum?: .belowMinimum
            case .aboveMaximum?: .aboveMaximum
            case .patternMismatch?: .patternMismatch
            case .currencyNotSupported?: .currencyNotSupported
            case nil: .other(words(reason))
            }
    }
}
