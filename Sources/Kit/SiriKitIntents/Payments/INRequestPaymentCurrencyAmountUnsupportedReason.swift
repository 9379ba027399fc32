public import IntentKit

/// Why an amount cannot be requested.
public enum INRequestPaymentCurrencyAmountUnsupportedReason: Int, UnsupportedReason {
    case paymentsAmountBelowMinimum = 1
    case paymentsAmountAboveMaximum = 2
    case paymentsCurrencyUnsupported = 3
}

public typealias INRequestPaymentCurrencyAmountResolutionResult =
    ParameterResolution<INCurrencyAmount, INRequestPaymentCurrencyAmountUnsupportedReason>
