public import IntentKit

/// Cancels workouts: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INCancelWorkoutIntentHandling: INIntentHandling where HandledIntent == INCancelWorkoutIntent {
    /// Finds out which workout is meant.
    func resolveWorkoutName(
        for intent: INCancelWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult
}

extension INCancelWorkoutIntentHandling {
    /// The method for the name.
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
