internal import IntentRuntime

/// End reasons in a word or two, for lists.
package enum EndReasonWords {
    /// The words for an end reason of the records; an unknown one is returned as it is.
    package static func text(_ endReason: String) -> String {
        switch EndReason(rawValue: endReason) {
        case .nominal: "done"
        case .failed: "failed"
        case .declined: "declined"
        case .abortedByUser: "cancelled by user"
        case .abortedByOperator: "cancelled by operator"
        case .timeout: "timed out"
        case .tooManyAttempts: "too many answers"
        case .unsupportedIntent: "unknown intent"
        case .notAuthorized: "not authorized"
        case .invalidRequest: "invalid request"
        case .error: "turn failed"
        case nil: endReason
        }
    }
}
