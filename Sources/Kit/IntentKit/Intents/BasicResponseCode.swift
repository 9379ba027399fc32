/// The codes of an intent that has no list of its own.
public enum BasicResponseCode: String, IntentResponseCode {
    /// The intent can be handled.
    case ready
    case inProgress
    case success
    case failure
    /// It was not done; the user has to do something in the app first.
    case failureRequiringAppLaunch
}
