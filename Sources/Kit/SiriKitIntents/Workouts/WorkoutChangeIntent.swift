public import IntentKit

/// A request to change a workout in progress; SiriKit has four of the same form.
public protocol WorkoutChangeIntent: Intent where Code == WorkoutChangeResponseCode {
    /// The kind of workout, if the user named it.
    var workoutName: INSpeakableString? { get set }
}

/// The codes with which handlers of ``INPauseWorkoutIntent``, ``INResumeWorkoutIntent``, ``INEndWorkoutIntent`` and
/// ``INCancelWorkoutIntent`` report.
public enum WorkoutChangeResponseCode: String, IntentResponseCode {
    /// No code was given.
    case unspecified
    /// The workout can be changed.
    case ready
    /// The user continues in the app.
    case continueInApp
    case failure
    /// The workout was not changed; the user has to do something in the app first.
    case failureRequiringAppLaunch
    /// There is no workout that could be changed like this.
    case failureNoMatchingWorkout
    /// The app changes the workout in the background and reports.
    case handleInApp
    /// The workout was changed; only the app may report this (R33).
    case success

    /// Only the app changes workouts.
    public static let appOnly: Set<Self> = [.success]
}
