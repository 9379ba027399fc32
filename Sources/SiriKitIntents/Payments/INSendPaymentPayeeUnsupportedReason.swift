public import IntentKit

/// Why nothing can be paid to a person.
public enum INSendPaymentPayeeUnsupportedReason: Int, UnsupportedReason {
    /// The person's credentials are not verified.
    case credentialsUnverified = 1
    /// The user's funds do not suffice to pay the person.
    case insufficientFunds = 2
    /// The person has no account with the service.
    case noAccount = 3
    /// No address of the person is known.
    case noValidHandle = 4
}

/// Answers for the payee.
public typealias INSendPaymentPayeeResolutionResult = ParameterResolution<INPerson, INSendPaymentPayeeUnsupportedReason>
