public import IntentKit
public import SiriKitIntents

/// Has BNRun end the workout that is under way: S4's "stop".
public struct BNREndWorkoutIntentHandler: INEndWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.end
    /// Nothing: which workout is meant follows from what is under way (behaviour 60).
    public var resolvers: [Resolve<INEndWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    /// Makes a handler.
    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to end.
    public func confirm(intent: INEndWorkoutIntent, context: TurnContext) async throws -> INEndWorkoutIntentResponse {
        try await self.confirmChange(intent, context)
    }

    /// Hands it to the app.
    public func handle(intent: INEndWorkoutIntent, context: TurnContext) async throws -> INEndWorkoutIntentResponse {
        try await self.handOverChange(intent, context)
    }

    /// Logs what became of it in the app.
    public func appResponded(
        _ response: INEndWorkoutIntentResponse,
        to intent: INEndWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.noteChange(response, context)
    }
}
