internal import IntentKit

/// Why a value is not taken, as far as it follows from what is declared of its parameter.
enum Refusal: Hashable {
    /// It is none of that type.
    case wrongType
    /// It is none of the values.
    case notAmongValues
    /// It is less than the least.
    case belowMinimum
    /// It is more than the most.
    case aboveMaximum
    /// It is not written as it has to be.
    case patternMismatch
    /// It is money of another currency.
    case currencyNotSupported
    /// The handler has a reason of its own, in words, or none.
    case other(String?)

    /// The refusal that a reason stands for.
    ///
    /// - Parameters:
    ///   - reason: The reason; nil for none.
    ///   - isOfType: Whether the value has the parameter's type.
    ///   - words: What files say of the reason; nil where they say nothing.
    init(_ reason: ReasonDescription?, isOfType: Bool, words: (String) -> String?) {
        guard let reason else {
            self = isOfType ? .other(nil) : .wrongType
            return
        }
        if let text = words(reason.name) {
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
            case nil: .other(PromptWords.of(name: reason.name))
            }
    }
}
