public import IntentKit

/// Marks messages: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. Without a method the attribute is used as it is, and `confirm` answers ready by default.
public protocol INSetMessageAttributeIntentHandling: INIntentHandling
where HandledIntent == INSetMessageAttributeIntent {
    /// Finds out what the messages are to be marked as.
    func resolveAttribute(
        for intent: INSetMessageAttributeIntent,
        with context: TurnContext
    ) async throws -> INMessageAttributeResolutionResult
}

extension INSetMessageAttributeIntentHandling {
    public var resolvers: [Resolve<INSetMessageAttributeIntent>] {
        [Resolve(by: self.resolveAttribute, \.$attribute)]
    }

    /// Uses the attribute as it is.
    public func resolveAttribute(
        for intent: INSetMessageAttributeIntent,
        with context: TurnContext
    ) async throws -> INMessageAttributeResolutionResult {
        intent.attribute.map { .success(with: $0) } ?? .notRequired()
    }
}
