public import IntentKit

/// A request to pause a workout that is running.
public struct INPauseWorkoutIntent: WorkoutChangeIntent {
    public static let title: LocalizedText? = ["en": "Pause a workout", "de": "Training anhalten"]

    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to pause?", "de": "Welches Training möchtest du anhalten?"]
    )
    public var workoutName: INSpeakableString?

    public init() {}
}

public typealias INPauseWorkoutIntentResponse = IntentResponse<INPauseWorkoutIntent>
