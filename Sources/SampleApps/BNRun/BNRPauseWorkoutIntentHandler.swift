public import IntentKit
public import SiriKitIntents

/// Has BNRun pause the workout that is running.
public struct BNRPauseWorkoutIntentHandler: INPauseWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.pause
    /// Nothing: which workout is meant follows from what is under way (behaviour 60).
    public var resolvers: [Resolve<INPauseWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    /// Makes a handler.
    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to pause.
    public func confirm(intent: INPauseWorkoutIntent, context: TurnContext) async throws -> INPauseWorkoutIntentResponse
    {
        try await self.confirmChange(intent, context)
    }

    /// Hands it to the app.
    public func handle(intent: INPauseWorkoutIntent, context: TurnContext) async throws -> INPauseWorkoutIntentResponse
    {
        try await self.handOverChange(intent, context)
    }

    /// Logs what became of it in the app.
    public func appResponded(
        _ response: INPauseWorkoutIntentResponse,
        to intent: INPauseWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.noteChange(response, context)
    }
}
