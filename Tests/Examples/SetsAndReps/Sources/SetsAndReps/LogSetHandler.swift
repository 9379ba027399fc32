import IntentKit

/// Writes a set into the training log.
struct LogSetHandler: IntentHandler {
    /// Why a weight is not taken as it is.
    enum WeightReason: Int, UnsupportedReason {
        /// Nobody has lifted that.
        case beyondHumanStrength = 1
    }

    static let resolvers: [ParameterResolver<Self>] = [
        .init(\.exercise, using: Self.resolveExercise),
        .init(\.reps, using: Self.resolveReps),
        .init(\.weight, using: Self.resolveWeight),
    ]

    func resolveExercise(
        for intent: LogSetIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let words = intent.exercise, !words.isMissing else { return .needsValue() }
        let matches = Exercise.matches(for: words)
        switch matches.count {
        case 0: return .disambiguation(with: Exercise.allCases.map(\.rawValue))
        case 1: return .success(with: matches[0].rawValue)
        default: return .disambiguation(with: matches.map(\.rawValue))
        }
    }

    func resolveReps(
        for intent: LogSetIntent,
        with context: TurnContext
    ) async throws -> INIntegerResolutionResult {
        guard let reps = intent.reps else { return .needsValue() }
        return (1...100).contains(reps) ? .success(with: reps) : .unsupported()
    }

    /// What was lifted last time is a good guess where nothing is said; a first set has to say it.
    func resolveWeight(
        for intent: LogSetIntent,
        with context: TurnContext
    ) async throws -> ParameterResolution<Double, WeightReason> {
        if let weight = intent.weight {
            return (0...500).contains(weight) ? .success(with: weight) : .unsupported(forReason: .beyondHumanStrength)
        }
        let user = context.user.id
        let exercise = intent.exercise ?? ""
        let last = try await context.read("last weight") { try TrainingLog($0).lastWeight(of: exercise, user: user) }
        return last.map { .success(with: $0) } ?? .needsValue()
    }

    /// A weight far above the best so far is probably a slip of the tongue: the user is asked.
    func confirm(
        intent: LogSetIntent,
        context: TurnContext
    ) async throws -> IntentResponse<LogSetIntent> {
        let user = context.user.id
        let exercise = intent.exercise ?? ""
        let best = try await context.read("best") { try TrainingLog($0).best(of: exercise, user: user) }
        guard let best, let weight = intent.weight, weight > best.weight * 1.5 else {
            return IntentResponse(code: .ready)
        }
        return IntentResponse(
            code: .ready,
            details: ["bestSoFar": .number(best.weight), "weight": .number(weight)],
            requiresUserConfirmation: true
        )
    }

    func handle(
        intent: LogSetIntent,
        context: TurnContext
    ) async throws -> IntentResponse<LogSetIntent> {
        guard let exercise = intent.exercise, let reps = intent.reps, let weight = intent.weight else {
            return IntentResponse(code: .failure)
        }
        let user = context.user.id
        let set = TrainingLog.LiftedSet(reps: reps, weight: weight)
        let count = try await context.effect("log set") { store in
            let log = TrainingLog(store)
            try log.add(set, of: exercise, user: user)
            return try log.count(of: exercise, user: user)
        }
        return IntentResponse(code: .success, details: ["setsSoFar": .integer(Int64(count))])
    }
}
