public import IntentKit
public import SiriKitIntents

/// Has BNRun drop the workout that is under way.
public struct BNRCancelWorkoutIntentHandler: INCancelWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.cancel
    /// Nothing: which workout is meant follows from what is under way (behaviour 60).
    public var resolvers: [Resolve<INCancelWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    /// Makes a handler.
    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to cancel.
    public func confirm(intent: INCancelWorkoutIntent, context: TurnContext) async throws
        -> INCancelWorkoutIntentResponse
    {
        try await self.confirmChange(intent, context)
    }

    /// Hands it to the app.
    public func handle(intent: INCancelWorkoutIntent, context: TurnContext) async throws
        -> INCancelWorkoutIntentResponse
    {
        try await self.handOverChange(intent, context)
    }

    /// Logs what became of it in the app.
    public func appResponded(
        _ response: INCancelWorkoutIntentResponse,
        to intent: INCancelWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.noteChange(response, context)
    }
}
