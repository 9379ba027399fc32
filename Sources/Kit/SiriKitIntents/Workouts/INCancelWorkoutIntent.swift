public import IntentKit

/// A request to cancel a workout and discard it.
public struct INCancelWorkoutIntent: WorkoutChangeIntent {
    public static let title: LocalizedText? = ["en": "Cancel a workout", "de": "Training abbrechen"]

    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to cancel?", "de": "Welches Training möchtest du abbrechen?"]
    )
    public var workoutName: INSpeakableString?

    public init() {}
}

public typealias INCancelWorkoutIntentResponse = IntentResponse<INCancelWorkoutIntent>
