public import IntentKit

/// A request to pause a workout that is running.
public struct INPauseWorkoutIntent: WorkoutChangeIntent {
    /// The title for people.
    public static let title: LocalizedText? = ["en": "Pause a workout", "de": "Training anhalten"]

    /// The codes that a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to pause?", "de": "Welches Training möchtest du anhalten?"]
    )
    public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INPauseWorkoutIntent`` reports.
public typealias INPauseWorkoutIntentResponse = IntentResponse<INPauseWorkoutIntent>
