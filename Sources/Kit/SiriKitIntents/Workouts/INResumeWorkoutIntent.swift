public import IntentKit

/// A request to resume a workout that was paused.
public struct INResumeWorkoutIntent: WorkoutChangeIntent {
    /// The title for people.
    public static let title: LocalizedText? = ["en": "Resume a workout", "de": "Training fortsetzen"]

    /// The codes that a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to resume?", "de": "Welches Training möchtest du fortsetzen?"]
    )
    public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INResumeWorkoutIntent`` reports.
public typealias INResumeWorkoutIntentResponse = IntentResponse<INResumeWorkoutIntent>
