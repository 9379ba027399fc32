public import IntentKit

/// Why a message cannot go to a recipient.
public enum INSendMessageRecipientUnsupportedReason: Int, UnsupportedReason {
    /// The recipient has no account with the service.
    case noAccount = 1
    case offline = 2
    case messagingServiceNotEnabledForRecipient = 3
    /// No address of the recipient is known.
    case noValidHandle = 4
    /// The address that was asked for is not the recipient's.
    case requestedHandleInvalid = 5
    /// The recipient has no address of that label.
    case noHandleForLabel = 6
}

public typealias INSendMessageRecipientResolutionResult =
    ParameterResolution<INPerson, INSendMessageRecipientUnsupportedReason>
