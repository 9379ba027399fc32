public import IntentKit

/// A request to pause a workout that is running.
public struct INPauseWorkoutIntent: WorkoutChangeIntent {
    /// The codes with which a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INPauseWorkoutIntent`` reports.
public typealias INPauseWorkoutIntentResponse = IntentResponse<INPauseWorkoutIntent>
