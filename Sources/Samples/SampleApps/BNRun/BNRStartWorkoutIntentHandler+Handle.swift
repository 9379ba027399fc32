public import IntentKit
public import SiriKitIntents

extension BNRStartWorkoutIntentHandler {
    /// Checks that the intent describes a workout, and that no other one is in progress.
    public func confirm(
        intent: INStartWorkoutIntent,
        context: TurnContext
    ) async throws -> INStartWorkoutIntentResponse {
        switch try await self.workout(for: intent, context: context) {
        case .success(let workout):
            INStartWorkoutIntentResponse(
                code: .ready,
                userActivity: self.userActivity(for: workout, context: context),
                details: workout.json.object ?? [:]
            )
        case .failure(let refusal): INStartWorkoutIntentResponse(refusal)
        }
    }

    /// Logs the requested workout, and hands it to the app: in the background, or in the foreground where the app is
    /// too old for that (behaviours 54, 55, 56).
    public func handle(
        intent: INStartWorkoutIntent,
        context: TurnContext
    ) async throws -> INStartWorkoutIntentResponse {
        let workout: Workout
        switch try await self.workout(for: intent, context: context) {
        case .success(let possible): workout = possible
        case .failure(let refusal): return INStartWorkoutIntentResponse(refusal)
        }
        let isInBackground = context.device.hasApp(atLeast: self.backgroundVersion)
        let log = WorkoutLog(of: context.user.id)
        let newIdentifier = context.makeIdentifier()
        let interaction = context.interactionID
        let now = context.now
        let identifier = try await context.effect("requestWorkout") { store in
            try log.request(workout, identifier: newIdentifier, at: now, in: store)
            try log.handOver(.start, of: newIdentifier, interaction: interaction, at: now, in: store)
            if !isInBackground {
                // An old app is opened and never reports, so the log counts the workout as handed over from here on.
                try log.settle(.start, interaction: interaction, code: "continueInApp", at: now, in: store)
            }
            return newIdentifier
        }
        var details = workout.json.object ?? [:]
        details["workoutIdentifier"] = .string(identifier)
        return INStartWorkoutIntentResponse(
            code: isInBackground ? .handleInApp : .continueInApp,
            userActivity: self.userActivity(for: workout, identifier: identifier, context: context),
            details: details
        )
    }

    /// Logs the app's result.
    public func appResponded(
        _ response: INStartWorkoutIntentResponse,
        to intent: INStartWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await context.settle(.start, code: response.code.rawValue, details: response.details)
    }

    /// The workout that the intent describes, if it can be started now.
    private func workout(
        for intent: INStartWorkoutIntent,
        context: TurnContext
    ) async throws -> Result<Workout, Refusal<INStartWorkoutIntent.Code>> {
        let log = WorkoutLog(of: context.user.id)
        let (current, needsSetUp) = try await context.workoutSituation(log)
        guard !needsSetUp else { return .failure(.setUp(.failureRequiringAppLaunch)) }
        if let name = intent.workoutName, !name.isMissing,
            context.workoutType(named: name, in: INStartWorkoutIntent.intentName) == nil
        {
            return .failure(
                .init(
                    code: .failureNoMatchingWorkout,
                    error: "unknownWorkout",
                    description: "There is no workout called \(name.spokenPhrase): walk, run or swim."
                )
            )
        }
        guard let workout = Workout(startWorkoutIntent: intent) else {
            return .failure(
                .init(
                    code: .failure,
                    error: "incomplete",
                    description: "This makes no workout: it takes a kind, and a goal with a unit that fits it, or none."
                )
            )
        }
        if let current {
            return .failure(
                .init(
                    code: .failureOngoingWorkout,
                    error: "ongoingWorkout",
                    description: "A \(current.workout.type.rawValue) is under way: end it first.",
                    details: ["ongoingWorkout": current.json]
                )
            )
        }
        return .success(workout)
    }

    /// The activity with which the app starts it; an old app that is opened gets an activity of its own type.
    private func userActivity(
        for workout: Workout,
        identifier: String? = nil,
        context: TurnContext
    ) -> UserActivity? {
        var userInfo = workout.json.object ?? [:]
        userInfo["workoutIdentifier"] = identifier?.json
        let isInBackground = context.device.hasApp(atLeast: self.backgroundVersion)
        return UserActivity(
            activityType: isInBackground ? nil : WorkoutsExtension.activityType("startWorkout"),
            title: "Start \(workout.type.speakableString.spokenPhrase)",
            userInfo: userInfo
        )
    }
}
