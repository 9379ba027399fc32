public import IntentKit

/// A request to resume a workout that was paused.
public struct INResumeWorkoutIntent: WorkoutChangeIntent {
    public static let title: LocalizedText? = ["en": "Resume a workout", "de": "Training fortsetzen"]

    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to resume?", "de": "Welches Training möchtest du fortsetzen?"]
    )
    public var workoutName: INSpeakableString?

    public init() {}
}

public typealias INResumeWorkoutIntentResponse = IntentResponse<INResumeWorkoutIntent>
