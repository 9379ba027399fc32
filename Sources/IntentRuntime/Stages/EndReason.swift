internal import IntentKit

/// Why an interaction ended (R10).
package enum EndReason: String, Sendable, CaseIterable {
    /// It was done, or handed to the app.
    case nominal
    /// The handler's verdict.
    case failed
    /// The user said no.
    case declined
    /// The user gave up.
    case abortedByUser
    /// Nobody answered in time.
    case timeout
    /// Too many answers that settled nothing.
    case tooManyAttempts
    /// Nobody supports the intent.
    case unsupportedIntent
    /// The user does not let the assistant use the app.
    case notAuthorized
    /// The request is not as it should be.
    case invalidRequest
    /// A handler failed.
    case error
}

extension EndReason {
    /// Why an interaction ends with that report.
    init(of response: HandlerResponse) {
        switch INIntentHandlingStatus(code: response.code ?? "success") {
        case .success, .deferredToApplication: self = .nominal
        case .failure: self = .failed
        case .unspecified, .ready, .inProgress, .userConfirmationRequired: self = .error
        }
    }
}
