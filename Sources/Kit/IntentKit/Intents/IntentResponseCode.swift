/// The codes that an intent's handler reports, by SiriKit's names.
///
/// ```swift
/// enum Code: String, IntentResponseCode { case ready, success, failure, failureNoSuchExercise }
/// ```
/// What a code means for the interaction follows from its name (R10): `ready`, `inProgress`, `success`,
/// `continueInApp`, `handleInApp`, and everything that starts with `failure`.
public protocol IntentResponseCode: Hashable, Sendable, CaseIterable, RawRepresentable<String> {
    /// The intent can be handled: `confirm`'s positive answer.
    static var ready: Self { get }
    /// It could not be done, and no other code says why.
    static var failure: Self { get }
    /// The codes that only the app may report, with `app.responded`, and no handler (R33): a workout's `success`.
    static var appOnly: Set<Self> { get }
}

extension IntentResponseCode {
    /// By default there are none: handlers may report all codes.
    public static var appOnly: Set<Self> { [] }
}

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
