/// What can be done to a workout that is under way.
public enum WorkoutChange: String, Sendable, CaseIterable, Codable {
    /// It stops for a while.
    case pause
    /// It goes on.
    case resume
    /// It is over, and is kept.
    case end
    /// It is over, and does not count.
    case cancel

    /// The states in which it can be done.
    var origins: [WorkoutState] {
        switch self {
        case .pause: [.running]
        case .resume: [.paused]
        case .end, .cancel: [.running, .paused]
        }
    }

    /// The state that follows.
    var result: WorkoutState {
        switch self {
        case .pause: .paused
        case .resume: .running
        case .end: .ended
        case .cancel: .canceled
        }
    }
}
