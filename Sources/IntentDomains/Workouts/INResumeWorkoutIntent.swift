public import IntentKit

/// A request to resume a workout that was paused.
public struct INResumeWorkoutIntent: WorkoutChangeIntent {
    /// The codes with which a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INResumeWorkoutIntent`` reports.
public typealias INResumeWorkoutIntentResponse = IntentResponse<INResumeWorkoutIntent>
