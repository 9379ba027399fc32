public import IntentKit

/// A request to end a workout and keep what was done.
public struct INEndWorkoutIntent: WorkoutChangeIntent {
    public static let title: LocalizedText? = ["en": "End a workout", "de": "Training beenden"]

    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to end?", "de": "Welches Training möchtest du beenden?"]
    )
    public var workoutName: INSpeakableString?

    public init() {}
}

public typealias INEndWorkoutIntentResponse = IntentResponse<INEndWorkoutIntent>
