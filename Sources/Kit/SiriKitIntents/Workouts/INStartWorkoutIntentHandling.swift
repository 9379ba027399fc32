public import IntentKit

/// Starts workouts: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default. A
/// workout is started by the app: `handle` answers `handleInApp`, or `continueInApp` for an app that cannot do it in
/// the background, and the app reports `success`.
public protocol INStartWorkoutIntentHandling: INIntentHandling where HandledIntent == INStartWorkoutIntent {
    /// Finds out which kind of workout is meant.
    func resolveWorkoutName(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult

    /// Finds out how much of it is wanted.
    func resolveGoalValue(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INDoubleResolutionResult

    /// Finds out in which unit the goal is given.
    func resolveWorkoutGoalUnitType(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INWorkoutGoalUnitTypeResolutionResult

    func resolveWorkoutLocationType(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INWorkoutLocationTypeResolutionResult

    /// Finds out whether it has no goal.
    func resolveIsOpenEnded(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INBooleanResolutionResult
}

extension INStartWorkoutIntentHandling {
    /// The five methods, each for the parameter in its name.
    public var resolvers: [Resolve<INStartWorkoutIntent>] {
        [
            Resolve(by: self.resolveWorkoutName, \.$workoutName),
            Resolve(by: self.resolveGoalValue, \.$goalValue),
            Resolve(by: self.resolveWorkoutGoalUnitType, \.$workoutGoalUnitType),
            Resolve(by: self.resolveWorkoutLocationType, \.$workoutLocationType),
            Resolve(by: self.resolveIsOpenEnded, \.$isOpenEnded),
        ]
    }

    /// Uses the name as it is.
    public func resolveWorkoutName(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.workoutName.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the goal as it is.
    public func resolveGoalValue(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INDoubleResolutionResult {
        intent.goalValue.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the unit as it is.
    public func resolveWorkoutGoalUnitType(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INWorkoutGoalUnitTypeResolutionResult {
        intent.workoutGoalUnitType.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the location as it is.
    public func resolveWorkoutLocationType(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INWorkoutLocationTypeResolutionResult {
        intent.workoutLocationType.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the value as it is.
    public func resolveIsOpenEnded(
        for intent: INStartWorkoutIntent,
        with context: TurnContext
    ) async throws -> INBooleanResolutionResult {
        intent.isOpenEnded.map { .success(with: $0) } ?? .notRequired()
    }
}
