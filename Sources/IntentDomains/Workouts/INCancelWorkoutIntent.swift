public import IntentKit

/// A request to cancel a workout and forget it.
public struct INCancelWorkoutIntent: WorkoutChangeIntent {
    /// The codes with which a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INCancelWorkoutIntent`` reports.
public typealias INCancelWorkoutIntentResponse = IntentResponse<INCancelWorkoutIntent>
