/// The codes of an intent that has no list of its own.
public enum BasicResponseCode: String, IntentResponseCode {
    /// The intent can be handled.
    case ready
    /// It is being done.
    case inProgress
    /// It was done.
    case success
    /// It was not done.
    case failure
    /// It was not done; the user has to do something in the app first.
    case failureRequiringAppLaunch
}
