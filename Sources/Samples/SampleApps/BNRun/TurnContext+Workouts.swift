import IntentKit

extension WorkoutsExtension {
    /// The type of one of BNRun's own activities.
    static func activityType(_ name: String) -> String { "com.bignerdranch.bnrun.\(name)" }
}

extension TurnContext {
    /// The current workout, and whether the app must be set up first.
    func workoutSituation(_ log: WorkoutLog) async throws -> (current: LoggedWorkout?, needsSetUp: Bool) {
        let current = try await self.read("currentWorkout") { try log.current(in: $0) }
        let needsSetUp = try await self.read("needsSetUp") { try log.needsSetUp(in: $0) }
        return (current, needsSetUp)
    }

    /// Logs what the app reported, at the current time unless the app states another.
    func settle(_ order: WorkoutLog.Order, code: String, details: JSONObject) async throws {
        let log = WorkoutLog(of: self.user.id)
        let interaction = self.interactionID
        let time = details["date"].flatMap(OffsetDateTime.init(json:))?.date ?? self.now
        _ = try await self.effect("settleWorkout") { store in
            try log.settle(order, interaction: interaction, code: code, at: time, in: store)
        }
    }
}
