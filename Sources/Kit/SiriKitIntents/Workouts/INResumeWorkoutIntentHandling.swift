public import IntentKit

/// Resumes workouts: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INResumeWorkoutIntentHandling: INIntentHandling where HandledIntent == INResumeWorkoutIntent {
    func resolveWorkoutName(
        for intent: INResumeWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult
}

extension INResumeWorkoutIntentHandling {
    public var resolvers: [Resolve<INResumeWorkoutIntent>] {
        [Resolve(by: self.resolveWorkoutName, \.$workoutName)]
    }

    /// Uses the name as it is.
    public func resolveWorkoutName(
        for intent: INResumeWorkoutIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.workoutName.map { .success(with: $0) } ?? .notRequired()
    }
}
