public import IntentKit

/// Why an amount cannot be asked for.
public enum INRequestPaymentCurrencyAmountUnsupportedReason: Int, UnsupportedReason {
    /// It is below the least that can be paid.
    case paymentsAmountBelowMinimum = 1
    /// It is above the most that can be paid.
    case paymentsAmountAboveMaximum = 2
    /// Nothing can be paid in that currency.
    case paymentsCurrencyUnsupported = 3
}

/// Answers for the amount.
public typealias INRequestPaymentCurrencyAmountResolutionResult =
    ParameterResolution<INCurrencyAmount, INRequestPaymentCurrencyAmountUnsupportedReason>
