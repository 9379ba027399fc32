public import IntentKit

/// Pauses workouts: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INPauseWorkoutIntentHandling: INIntentHandling where HandledIntent == INPauseWorkoutIntent {
    func resolveWorkoutName(
        for intent: INPauseWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult
}

extension INPauseWorkoutIntentHandling {
    public var resolvers: [Resolve<INPauseWorkoutIntent>] {
        [Resolve(by: self.resolveWorkoutName, \.$workoutName)]
    }

    /// Uses the name as it is.
    public func resolveWorkoutName(
        for intent: INPauseWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.workoutName.map { .success(with: $0) } ?? .notRequired()
    }
}
