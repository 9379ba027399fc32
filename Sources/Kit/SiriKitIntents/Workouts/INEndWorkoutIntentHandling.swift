public import IntentKit

/// Ends workouts: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INEndWorkoutIntentHandling: INIntentHandling where HandledIntent == INEndWorkoutIntent {
    func resolveWorkoutName(
        for intent: INEndWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult
}

extension INEndWorkoutIntentHandling {
    public var resolvers: [Resolve<INEndWorkoutIntent>] {
        [Resolve(by: self.resolveWorkoutName, \.$workoutName)]
    }

    /// Uses the name as it is.
    public func resolveWorkoutName(
        for intent: INEndWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.workoutName.map { .success(with: $0) } ?? .notRequired()
    }
}
