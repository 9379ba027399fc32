/// How far an intent has come; it follows from a response code (R10).
public enum INIntentHandlingStatus: String, Sendable, CaseIterable {
    /// Nothing is known.
    case unspecified
    /// It can be done.
    case ready
    case inProgress
    case success
    case failure
    /// The app continues.
    case deferredToApplication
    /// The user is asked first.
    case userConfirmationRequired

    /// Maps the code of any intent; each that begins with `failure` is ``failure``, and an unknown one ``unspecified``.
    public init(code: String) {
        switch code {
        case "ready": self = .ready
        case "inProgress", "handleInApp": self = .inProgress
        case "success": self = .success
        case "continueInApp": self = .deferredToApplication
        case _ where code.hasPrefix("failure"): self = .failure
        default: self = .unspecified
        }
    }
}
