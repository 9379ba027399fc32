public import IntentKit

/// Cancels workouts: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INCancelWorkoutIntentHandling: INIntentHandling where HandledIntent == INCancelWorkoutIntent {
    func resolveWorkoutName(
        for intent: INCancelWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult
}

extension INCancelWorkoutIntentHandling {
    public var resolvers: [Resolve<INCancelWorkoutIntent>] {
        [Resolve(by: self.resolveWorkoutName, \.$workoutName)]
    }

    /// Uses the name as it is.
    public func resolveWorkoutName(
        for intent: INCancelWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.workoutName.map { .success(with: $0) } ?? .notRequired()
    }
}
