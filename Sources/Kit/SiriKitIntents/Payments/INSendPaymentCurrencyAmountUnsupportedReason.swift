public import IntentKit

/// Why an amount cannot be paid.
public enum INSendPaymentCurrencyAmountUnsupportedReason: Int, UnsupportedReason {
    case paymentsAmountBelowMinimum = 1
    case paymentsAmountAboveMaximum = 2
    case paymentsCurrencyUnsupported = 3
}

public typealias INSendPaymentCurrencyAmountResolutionResult =
    ParameterResolution<INCurrencyAmount, INSendPaymentCurrencyAmountUnsupportedReason>
