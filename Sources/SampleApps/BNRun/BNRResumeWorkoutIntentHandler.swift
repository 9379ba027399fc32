public import IntentKit
public import SiriKitIntents

/// Has BNRun go on with the workout that was paused.
public struct BNRResumeWorkoutIntentHandler: INResumeWorkoutIntentHandling, BNRWorkoutChangeHandling {
    static let change = WorkoutChange.resume
    /// Nothing: which workout is meant follows from what is under way (behaviour 60).
    public var resolvers: [Resolve<INResumeWorkoutIntent>] { [] }

    let backgroundVersion: AppVersion

    /// Makes a handler.
    public init(backgroundVersion: AppVersion = WorkoutsExtension.firstVersionInBackground) {
        self.backgroundVersion = backgroundVersion
    }

    /// Checks that there is a workout to resume.
    public func confirm(intent: INResumeWorkoutIntent, context: TurnContext) async throws
        -> INResumeWorkoutIntentResponse
    {
        try await self.confirmChange(intent, context)
    }

    /// Hands it to the app.
    public func handle(intent: INResumeWorkoutIntent, context: TurnContext) async throws
        -> INResumeWorkoutIntentResponse
    {
        try await self.handOverChange(intent, context)
    }

    /// Logs what became of it in the app.
    public func appResponded(
        _ response: INResumeWorkoutIntentResponse,
        to intent: INResumeWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await self.noteChange(response, context)
    }
}
