public import IntentKit

/// A request to cancel a workout and forget it.
public struct INCancelWorkoutIntent: WorkoutChangeIntent {
    /// The codes with which a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}

    /// The one parameter.
    public static let parameters: [IntentParameter<Self>] = [.init("workoutName", \.workoutName)]
}

/// What a handler of ``INCancelWorkoutIntent`` reports.
public typealias INCancelWorkoutIntentResponse = IntentResponse<INCancelWorkoutIntent>
