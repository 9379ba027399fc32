/// Who decides whether the user is asked before an intent is handled (R29).
public enum ConfirmationPolicy: String, Sendable, CaseIterable {
    case always
    case never
    /// The user is asked when `confirm`'s response requires it.
    case byHandler
}
