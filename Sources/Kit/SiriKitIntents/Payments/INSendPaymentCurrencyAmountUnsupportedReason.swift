public import IntentKit

/// Why an amount cannot be paid.
public enum INSendPaymentCurrencyAmountUnsupportedReason: Int, UnsupportedReason {
    /// It is below the minimum.
    case paymentsAmountBelowMinimum = 1
    /// It is above the maximum.
    case paymentsAmountAboveMaximum = 2
    /// The currency is not supported.
    case paymentsCurrencyUnsupported = 3
}

/// The result for the amount.
public typealias INSendPaymentCurrencyAmountResolutionResult =
    ParameterResolution<INCurrencyAmount, INSendPaymentCurrencyAmountUnsupportedReason>
