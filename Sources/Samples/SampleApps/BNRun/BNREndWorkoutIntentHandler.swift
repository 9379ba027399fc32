public import IntentKit
public import SiriKitIntents

/// Makes BNRun end the current workout.
public struct BNREndWorkoutIntentHandler: INEndWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.end
    /// None: the current workout is the one that is meant (behaviour 60).
    public var resolvers: [Resolve<INEndWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to end.
    public func confirm(intent: INEndWorkoutIntent, context: TurnContext) async throws -> INEndWorkoutIntentResponse {
        try await self.confirmChange(intent, context)
    }

    /// Hands the change to the app.
    public func handle(intent: INEndWorkoutIntent, context: TurnContext) async throws -> INEndWorkoutIntentResponse {
        try await self.handOverChange(intent, context)
    }

    /// Logs the app's result.
    public func appResponded(
        _ response: INEndWorkoutIntentResponse,
        to intent: INEndWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.recordChange(response, context)
    }
}
