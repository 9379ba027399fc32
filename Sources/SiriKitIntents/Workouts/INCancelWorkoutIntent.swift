public import IntentKit

/// A request to cancel a workout and forget it.
public struct INCancelWorkoutIntent: WorkoutChangeIntent {
    /// What people call it.
    public static let title: LocalizedText? = ["en": "Cancel a workout", "de": "Training abbrechen"]

    /// The codes with which a handler reports.
    public typealias Code = WorkoutChangeResponseCode

    /// The kind of workout, if the user named it.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to cancel?", "de": "Welches Training möchtest du abbrechen?"]
    )
    public var workoutName: INSpeakableString?

    /// A request without any value.
    public init() {}
}

/// What a handler of ``INCancelWorkoutIntent`` reports.
public typealias INCancelWorkoutIntentResponse = IntentResponse<INCancelWorkoutIntent>
