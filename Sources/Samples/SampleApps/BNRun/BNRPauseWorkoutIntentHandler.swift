public import IntentKit
public import SiriKitIntents

/// Makes BNRun pause the running workout.
public struct BNRPauseWorkoutIntentHandler: INPauseWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.pause
    /// None: the current workout is the one that is meant (behaviour 60).
    public var resolvers: [Resolve<INPauseWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to pause.
    public func confirm(intent: INPauseWorkoutIntent, context: TurnContext) async throws -> INPauseWorkoutIntentResponse
    {
        try await self.confirmChange(intent, context)
    }

    /// Hands the change to the app.
    public func handle(intent: INPauseWorkoutIntent, context: TurnContext) async throws -> INPauseWorkoutIntentResponse
    {
        try await self.handOverChange(intent, context)
    }

    /// Logs the app's result.
    public func appResponded(
        _ response: INPauseWorkoutIntentResponse,
        to intent: INPauseWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.recordChange(response, context)
    }
}
