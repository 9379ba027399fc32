import IntentKit

/// Looks the best set up: a question changes nothing, so it makes no effects.
struct BestSetHandler: IntentHandler {
    private struct Summary: Encodable {
        var reps: Int
        var weight: Double
        var estimatedMaximum: Double
    }

    var handling: Handling<BestSetIntent> {
        Resolve(\.$exercise) { said, _ in
            guard let said else { return .needsValue() }
            let matches = Exercise.matches(for: said).map(\.rawValue)
            return matches.count == 1 ? .success(with: matches[0]) : .disambiguation(with: matches)
        }

        Handle { intent, context in
            let (user, exercise) = (context.user.id, intent.exercise ?? "")
            let best = try await context.read("best") { try TrainingLog($0).best(of: exercise, user: user) }
            guard let best else { return IntentResponse(code: .failureNothingLogged) }
            let summary = Summary(reps: best.reps, weight: best.weight, estimatedMaximum: best.estimatedMaximum)
            return try IntentResponse(code: .success, details: .encoding(summary))
        }
    }
}
