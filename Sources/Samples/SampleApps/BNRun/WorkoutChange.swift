/// A change to the current workout.
public enum WorkoutChange: String, Sendable, CaseIterable, Codable {
    case pause
    case resume
    /// It ends and is kept.
    case end
    /// It ends and does not count.
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
