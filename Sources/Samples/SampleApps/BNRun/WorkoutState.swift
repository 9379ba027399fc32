public enum WorkoutState: String, Sendable, CaseIterable, Codable {
    /// The app was asked to start it, and has not answered.
    case requested
    /// The app could not start it.
    case refused
    case running
    case paused
    case ended
    /// It is over and does not count.
    case canceled
}
