import IntentKit

/// Writes a set into the training log.
struct LogSetHandler: IntentHandler {
    /// Why a weight is not taken as it is.
    enum WeightReason: Int, UnsupportedReason {
        /// Nobody has lifted that.
        case beyondHumanStrength = 1
    }

    var handling: Handling<LogSetIntent> {
        Resolve(\.$exercise) { said, _ in
            guard let said else { return .needsValue() }
            let matches = Exercise.matches(for: said)
            switch matches.count {
            case 0: return .disambiguation(with: Exercise.allCases.map(\.rawValue))
            case 1: return .success(with: matches[0].rawValue)
            default: return .disambiguation(with: matches.map(\.rawValue))
            }
        }

        // What was lifted last time is a good guess where nothing is said; a first set has to say it.
        Resolve(\.$weight, reasons: WeightReason.self) { said, intent, context in
            if let said { return said <= 500 ? .success(with: said) : .unsupported(forReason: .beyondHumanStrength) }
            let (user, exercise) = (context.user.id, intent.exercise ?? "")
            let last = try await context.read("last weight") {
                try TrainingLog($0).lastWeight(of: exercise, user: user)
            }
            return last.map { .success(with: $0) } ?? .needsValue()
        }

        // A weight far above the best so far is probably a slip of the tongue: the user is asked.
        Confirm { intent, context in
            let (user, exercise) = (context.user.id, intent.exercise ?? "")
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

        Handle { intent, context in
            let (user, exercise) = (context.user.id, intent.exercise ?? "")
            let set = TrainingLog.LiftedSet(reps: intent.reps ?? 0, weight: intent.weight ?? 0)
            let count = try await context.effect("log set") { store in
                let log = TrainingLog(store)
                try log.add(set, of: exercise, user: user)
                return try log.count(of: exercise, user: user)
            }
            return IntentResponse(code: .success, details: ["setsSoFar": .integer(Int64(count))])
        }
    }
}
