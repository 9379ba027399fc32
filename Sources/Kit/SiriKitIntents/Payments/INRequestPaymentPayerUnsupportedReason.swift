public import IntentKit

/// Why a payment cannot be requested from a person.
public enum INRequestPaymentPayerUnsupportedReason: Int, UnsupportedReason {
    case credentialsUnverified = 1
    /// The person has no account with the service.
    case noAccount = 2
    /// No address of the person is known.
    case noValidHandle = 3
}

public typealias INRequestPaymentPayerResolutionResult = ParameterResolution<
    INPerson, INRequestPaymentPayerUnsupportedReason
>
