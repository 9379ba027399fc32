import IntentKit

/// Reps without a weight: the whole of an intent that asks, offers, bounds, confirms, and is done once.
struct LogReps: Intent {
    static let exercises = ["back squat", "front squat", "bench press", "overhead press", "deadlift"]
    @Parameter(prompt: "Which exercise?", isRequired: true, values: Self.exercises) var exercise: String?
    @Parameter(prompt: "How many times?", isRequired: true, in: 1...100) var reps: Int?
}

struct LogRepsHandler: IntentHandler {
    var handling: Handling<LogReps> {
        Confirm { intent, _ in
            let reps = intent.reps ?? 0
            return IntentResponse(code: .ready, requiresUserConfirmation: reps > 50).saying("\(reps) times, really?")
        }
        Handle { intent, context in
            let (user, exercise) = (context.user.id, intent.exercise ?? "")
            let set = TrainingLog.LiftedSet(reps: intent.reps ?? 0, weight: 0)
            try await context.effect("log") { try TrainingLog($0).add(set, of: exercise, user: user) }
            return IntentResponse(code: .success).saying("\(set.reps) \(exercise), logged.")
        }
    }
}
