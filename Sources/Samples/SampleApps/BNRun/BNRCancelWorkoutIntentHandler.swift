public import IntentKit
public import SiriKitIntents

/// Makes BNRun cancel the current workout.
public struct BNRCancelWorkoutIntentHandler: INCancelWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.cancel
    /// None: the current workout is the one that is meant (behaviour 60).
    public var resolvers: [Resolve<INCancelWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to cancel.
    public func confirm(intent: INCancelWorkoutIntent, context: TurnContext) async throws
        -> INCancelWorkoutIntentResponse
    {
        try await self.confirmChange(intent, context)
    }

    /// Hands the cancellation to the app.
    public func handle(intent: INCancelWorkoutIntent, context: TurnContext) async throws
        -> INCancelWorkoutIntentResponse
    {
        try await self.handOverChange(intent, context)
    }

    /// Logs the app's result.
    public func appResponded(
        _ response: INCancelWorkoutIntentResponse,
        to intent: INCancelWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.recordChange(response, context)
    }
}
