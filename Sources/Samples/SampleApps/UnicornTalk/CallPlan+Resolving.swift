import IntentKit

extension CallPlan {
    /// Resolves the one person to call, for the intents without reasons.
    static func resolve(_ people: [INPerson]?, with context: TurnContext) async throws -> [INPersonResolutionResult] {
        guard let people, !people.isMissing else { return [.needsValue()] }
        return zip(people.indices, try await Callee.all(people, with: context))
            .map { index, callee in
                guard index == 0 else { return .unsupported() }
                switch callee {
                case .code, .invalidNumber: return .unsupported()
                case .number(let number): return .success(with: number)
                case .contacts(let contacts):
                    guard contacts.count == 1 else {
                        return .disambiguation(with: contacts.map { INPerson($0, context: context) })
                    }
                    return .success(with: INPerson(contacts[0], calledAs: people[index], context: context))
                }
            }
    }
}
