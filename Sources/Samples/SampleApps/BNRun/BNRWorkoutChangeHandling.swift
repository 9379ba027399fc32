import IntentKit
import SiriKitIntents

/// What BNRun does in the same way to pause, resume, end and cancel a workout: there is nothing to resolve (behaviour
/// 60).
protocol BNRWorkoutChangeHandling: INIntentHandling where HandledIntent: WorkoutChangeIntent {
    static var change: WorkoutChange { get }
    /// The first version of the app that does it in the background.
    var backgroundVersion: AppVersion { get }
}

extension BNRWorkoutChangeHandling {
    /// Checks that a workout is in progress that can be changed like this.
    func confirmChange(
        _ intent: HandledIntent,
        _ context: TurnContext
    ) async throws -> IntentResponse<HandledIntent> {
        switch try await self.workout(for: intent, context) {
        case .success(let logged): IntentResponse(code: .ready, details: logged.json.object ?? [:])
        case .failure(let refusal): IntentResponse(refusal)
        }
    }

    /// Hands the change to the app in the same way as a start.
    func handOverChange(
        _ intent: HandledIntent,
        _ context: TurnContext
    ) async throws -> IntentResponse<HandledIntent> {
        let logged: LoggedWorkout
        switch try await self.workout(for: intent, context) {
        case .success(let current): logged = current
        case .failure(let refusal): return IntentResponse(refusal)
        }
        let isInBackground = context.device.hasApp(atLeast: self.backgroundVersion)
        let log = WorkoutLog(of: context.user.id)
        let order = WorkoutLog.Order.change(Self.change)
        let interaction = context.interactionID
        let now = context.now
        _ = try await context.effect("\(Self.change)Workout") { store in
            try log.handOver(order, of: logged.identifier, interaction: interaction, at: now, in: store)
            if !isInBackground {
                try log.settle(order, interaction: interaction, code: "continueInApp", at: now, in: store)
            }
            return logged.identifier
        }
        let details = logged.json.object ?? [:]
        return IntentResponse(
            code: isInBackground ? .handleInApp : .continueInApp,
            userActivity: UserActivity(
                activityType: isInBackground ? nil : WorkoutsExtension.activityType("\(Self.change)Workout"),
                userInfo: details
            ),
            details: details
        )
    }

    /// Logs the app's result.
    func recordChange(_ response: IntentResponse<HandledIntent>, _ context: TurnContext) async throws {
        try await context.settle(.change(Self.change), code: response.code.rawValue, details: response.details)
    }

    /// The current workout, if it is the one that was named and can be changed like this.
    private func workout(
        for intent: HandledIntent,
        _ context: TurnContext
    ) async throws -> Result<LoggedWorkout, Refusal<WorkoutChangeResponseCode>> {
        let log = WorkoutLog(of: context.user.id)
        let (current, needsSetUp) = try await context.workoutSituation(log)
        guard !needsSetUp else { return .failure(.setUp(.failureRequiringAppLaunch)) }
        guard let current else { return .failure(Self.noMatch("No workout is under way.")) }
        if let name = intent.workoutName, !name.isMissing,
            context.workoutType(named: name, in: HandledIntent.intentName) != current.workout.type
        {
            let words = "A \(current.workout.type.rawValue) is under way, no \(name.spokenPhrase)."
            return .failure(Self.noMatch(words, current))
        }
        guard Self.change.origins.contains(current.state) else {
            let words = "The \(current.workout.type.rawValue) is \(current.state.rawValue) already."
            return .failure(Self.noMatch(words, current))
        }
        return .success(current)
    }

    private static func noMatch(
        _ description: String,
        _ current: LoggedWorkout? = nil
    ) -> Refusal<WorkoutChangeResponseCode> {
        Refusal(
            code: .failureNoMatchingWorkout,
            error: "noMatchingWorkout",
            description: description,
            details: current.map { ["ongoingWorkout": $0.json] } ?? [:]
        )
    }
}

extension Refusal {
    /// The user has to finish setting the app up.
    static func setUp(_ code: Code) -> Self {
        Self(code: code, error: "needsSetUp", description: "Open BNRun to finish setting it up.")
    }
}
