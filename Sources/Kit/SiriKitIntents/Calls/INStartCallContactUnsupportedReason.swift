public import IntentKit

/// Why a contact cannot be called.
public enum INStartCallContactUnsupportedReason: Int, UnsupportedReason {
    case noContactFound = 1
    /// Only one person can be called at once.
    case multipleContactsUnsupported = 2
    /// The person has no number of that label.
    case noHandleForLabel = 3
    /// The number is not the person's, or no number.
    case invalidHandle = 4
    /// It is an MMI or USSD code, not a number.
    case unsupportedMmiUssd = 5
    case noCallHistoryForRedial = 6
    /// The call to redial has no number.
    case noUsableHandleForRedial = 7
}

/// The result for one of those who are called.
public typealias INStartCallContactResolutionResult =
    ParameterResolution<INPerson, INStartCallContactUnsupportedReason>
