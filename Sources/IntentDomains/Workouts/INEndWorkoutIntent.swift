public import IntentKit

/// A request to end a workout and keep what was done.
public struct INEndWorkoutIntent: WorkoutChangeIntent {
    /// The codes with which a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INEndWorkoutIntent`` reports.
public typealias INEndWorkoutIntentResponse = IntentResponse<INEndWorkoutIntent>
