public import IntentKit

/// Starts audio calls: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INStartAudioCallIntentHandling: INIntentHandling where HandledIntent == INStartAudioCallIntent {
    /// Finds out where the call goes to.
    func resolveDestinationType(
        for intent: INStartAudioCallIntent,
        with context: TurnContext
    ) async throws -> INCallDestinationTypeResolutionResult

    /// Finds out who is called: one result for each person in the same order.
    func resolveContacts(
        for intent: INStartAudioCallIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult]
}

extension INStartAudioCallIntentHandling {
    /// The methods, each for the parameter in its name.
    public var resolvers: [Resolve<INStartAudioCallIntent>] {
        [
            Resolve(by: self.resolveDestinationType, \.$destinationType),
            Resolve(by: self.resolveContacts, \.$contacts),
        ]
    }

    /// Uses what was said as it is.
    public func resolveDestinationType(
        for intent: INStartAudioCallIntent,
        with context: TurnContext
    ) async throws -> INCallDestinationTypeResolutionResult {
        intent.destinationType.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses what was said as it is.
    public func resolveContacts(
        for intent: INStartAudioCallIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        guard let values = intent.contacts, !values.isMissing else { return [.notRequired()] }
        return values.map { .success(with: $0) }
    }
}
