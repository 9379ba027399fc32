/// How far a workout in the log is.
public enum WorkoutState: String, Sendable, CaseIterable, Codable {
    /// The app was asked to start it, and has not answered.
    case requested
    /// The app could not start it.
    case refused
    /// It is under way.
    case running
    /// It is under way, and rests.
    case paused
    /// It is over.
    case ended
    /// It is over, and does not count.
    case canceled
}
