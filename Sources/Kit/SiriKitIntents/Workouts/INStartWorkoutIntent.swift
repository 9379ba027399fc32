public import IntentKit

/// A request to start a workout.
///
/// The goal depends on the kind of workout and on whether it is open ended, and each half of the goal depends on the
/// other.
public struct INStartWorkoutIntent: Intent {
    public static let title: LocalizedText? = ["en": "Start a workout", "de": "Training starten"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The workout can be started.
        case ready
        /// The user continues in the app.
        case continueInApp
        case failure
        /// The workout was not started; the user has to do something in the app first.
        case failureRequiringAppLaunch
        /// Another workout is in progress.
        case failureOngoingWorkout
        /// There is no workout of that name.
        case failureNoMatchingWorkout
        /// The app starts the workout in the background and reports.
        case handleInApp
        /// The workout was started; only the app may report this (R33).
        case success

        /// Only the app starts workouts.
        public static let appOnly: Set<Self> = [.success]
    }

    /// The kind of workout, such as a run.
    @Parameter(
        title: ["en": "workout", "de": "Training"],
        prompt: ["en": "Which workout do you want to start?", "de": "Welches Training möchtest du starten?"]
    )
    public var workoutName: INSpeakableString?
    @Parameter(
        title: ["en": "goal", "de": "Ziel"],
        prompt: [
            "en": "How far or how long do you want to go?",
            "de": "Wie weit oder wie lange möchtest du trainieren?",
        ],
        dependsOn: [\Self.$workoutName, Self.unit, \Self.$isOpenEnded]
    )
    public var goalValue: Double?
    @Parameter(
        title: ["en": "unit of the goal", "de": "Einheit des Ziels"],
        prompt: ["en": "In which unit is your goal?", "de": "In welcher Einheit ist dein Ziel?"],
        dependsOn: [\Self.$workoutName, \Self.$goalValue, \Self.$isOpenEnded]
    )
    public var workoutGoalUnitType: INWorkoutGoalUnitType?
    @Parameter(
        title: ["en": "location", "de": "Ort"],
        prompt: ["en": "Are you indoors or outdoors?", "de": "Bist du drinnen oder draußen?"]
    )
    public var workoutLocationType: INWorkoutLocationType?
    /// Whether it has no goal and continues until it is stopped.
    @Parameter(
        title: ["en": "workout without a goal", "de": "Training ohne Ziel"],
        prompt: ["en": "Do you want to go on without a goal?", "de": "Möchtest du ohne Ziel trainieren?"]
    )
    public var isOpenEnded: Bool?

    /// The path to the unit.
    ///
    /// Of two properties that depend on each other, Swift cannot infer both types at once.
    private static var unit: any AnyKeyPath & Sendable { \Self.$workoutGoalUnitType }

    public init() {}
}

public typealias INStartWorkoutIntentResponse = IntentResponse<INStartWorkoutIntent>
