public import IntentKit
public import SiriKitIntents

extension BNRStartWorkoutIntentHandler {
    /// Checks that the intent makes a workout, and that no other one is under way.
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

    /// Logs the workout as asked for, and hands it to the app: in the background, or in front of the user where the app
    /// is too old for that (behaviours 54, 55, 56).
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
                // An old app is opened and never reports: from here on it is in the app's hands.
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

    /// Logs what became of it in the app.
    public func appResponded(
        _ response: INStartWorkoutIntentResponse,
        to intent: INStartWorkoutIntent,
        context: TurnContext
    ) async throws {
        try await context.settle(.start, code: response.code.rawValue, details: response.details)
    }

    /// The workout that the intent makes, if it can be started now.
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

    /// What the app gets to start it; an old app that is opened for it finds a workout of its own kind of activity.
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
