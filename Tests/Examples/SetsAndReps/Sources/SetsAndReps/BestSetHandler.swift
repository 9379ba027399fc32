import IntentKit

/// Looks the best set up: a question changes nothing, so it makes no effects.
struct BestSetHandler: IntentHandler {
    static let resolvers: [ParameterResolver<Self>] = [.init(\.exercise, using: Self.resolveExercise)]

    func resolveExercise(
        for intent: BestSetIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let words = intent.exercise, !words.isMissing else { return .needsValue() }
        let matches = Exercise.matches(for: words).map(\.rawValue)
        return matches.count == 1 ? .success(with: matches[0]) : .disambiguation(with: matches)
    }

    func handle(
        intent: BestSetIntent,
        context: TurnContext
    ) async throws -> IntentResponse<BestSetIntent> {
        let user = context.user.id
        let exercise = intent.exercise ?? ""
        let best = try await context.read("best") { try TrainingLog($0).best(of: exercise, user: user) }
        guard let best else { return IntentResponse(code: .failureNothingLogged) }
        return IntentResponse(
            code: .success,
            details: [
                "reps": .integer(Int64(best.reps)), "weight": .number(best.weight),
                "estimatedMaximum": .number(best.estimatedMaximum),
            ]
        )
    }
}
