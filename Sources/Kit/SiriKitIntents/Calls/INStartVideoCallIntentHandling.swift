public import IntentKit

/// Starts video calls: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INStartVideoCallIntentHandling: INIntentHandling where HandledIntent == INStartVideoCallIntent {
    /// Finds out who is called: one result for each person in the same order.
    func resolveContacts(
        for intent: INStartVideoCallIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult]
}

extension INStartVideoCallIntentHandling {
    /// The methods, each for the parameter in its name.
    public var resolvers: [Resolve<INStartVideoCallIntent>] {
        [
            Resolve(by: self.resolveContacts, \.$contacts)
        ]
    }

    /// Uses what was said as it is.
    public func resolveContacts(
        for intent: INStartVideoCallIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        guard let values = intent.contacts, !values.isMissing else { return [.notRequired()] }
        return values.map { .success(with: $0) }
    }
}
