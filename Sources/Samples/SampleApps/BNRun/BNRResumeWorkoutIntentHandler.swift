public import IntentKit
public import SiriKitIntents

/// Makes BNRun resume the paused workout.
public struct BNRResumeWorkoutIntentHandler: INResumeWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.resume
    /// None: the current workout is the one that is meant (behaviour 60).
    public var resolvers: [Resolve<INResumeWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to resume.
    public func confirm(intent: INResumeWorkoutIntent, context: TurnContext) async throws
        -> INResumeWorkoutIntentResponse
    {
        try await self.confirmChange(intent, context)
    }

    /// Hands the change to the app.
    public func handle(intent: INResumeWorkoutIntent, context: TurnContext) async throws
        -> INResumeWorkoutIntentResponse
    {
        try await self.handOverChange(intent, context)
    }

    /// Logs the app's result.
    public func appResponded(
        _ response: INResumeWorkoutIntentResponse,
        to intent: INResumeWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.recordChange(response, context)
    }
}
