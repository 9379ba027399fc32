internal import IntentKit

/// Why an interaction ended (R10).
package enum EndReason: String, Sendable, CaseIterable {
    /// The task was done, or handed to the app.
    case nominal
    /// The handler's verdict.
    case failed
    case declined
    case abortedByUser
    /// An operator has cancelled it (R82).
    case abortedByOperator
    /// The user did not answer in time.
    case timeout
    /// Too many answers that settled nothing.
    case tooManyAttempts
    case unsupportedIntent
    /// The user does not let the assistant use the app.
    case notAuthorized
    case invalidRequest
    /// A handler failed.
    case error
}

extension EndReason {
    init(of response: HandlerResponse) {
        switch INIntentHandlingStatus(code: response.code ?? "success") {
        case .success, .deferredToApplication: self = .nominal
        case .failure: self = .failed
        case .unspecified, .ready, .inProgress, .userConfirmationRequired: self = .error
        }
    }
}
