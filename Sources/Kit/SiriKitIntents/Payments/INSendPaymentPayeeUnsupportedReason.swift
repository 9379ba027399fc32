public import IntentKit

/// Why a payment cannot be sent to a person.
public enum INSendPaymentPayeeUnsupportedReason: Int, UnsupportedReason {
    case credentialsUnverified = 1
    /// The user has insufficient funds to pay the person.
    case insufficientFunds = 2
    /// The person has no account with the service.
    case noAccount = 3
    /// No address of the person is known.
    case noValidHandle = 4
}

public typealias INSendPaymentPayeeResolutionResult = ParameterResolution<INPerson, INSendPaymentPayeeUnsupportedReason>
