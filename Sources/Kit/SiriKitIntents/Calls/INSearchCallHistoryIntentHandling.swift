public import IntentKit

/// Finds calls: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INSearchCallHistoryIntentHandling: INIntentHandling where HandledIntent == INSearchCallHistoryIntent {
    func resolveDateCreated(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult

    /// Finds out whom the calls were with.
    func resolveRecipient(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INPersonResolutionResult

    func resolveCallTypes(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INCallRecordTypeOptionsResolutionResult

    /// Finds out whether calls are meant that the user has not seen.
    func resolveUnseen(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INBooleanResolutionResult
}

extension INSearchCallHistoryIntentHandling {
    /// The methods, each for the parameter in its name.
    public var resolvers: [Resolve<INSearchCallHistoryIntent>] {
        [
            Resolve(by: self.resolveDateCreated, \.$dateCreated),
            Resolve(by: self.resolveRecipient, \.$recipient),
            Resolve(by: self.resolveCallTypes, \.$callTypes),
            Resolve(by: self.resolveUnseen, \.$unseen),
        ]
    }

    /// Uses what was said as it is.
    public func resolveDateCreated(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult {
        intent.dateCreated.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses what was said as it is.
    public func resolveRecipient(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INPersonResolutionResult {
        intent.recipient.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses what was said as it is.
    public func resolveCallTypes(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INCallRecordTypeOptionsResolutionResult {
        intent.callTypes.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses what was said as it is.
    public func resolveUnseen(
        for intent: INSearchCallHistoryIntent,
        with context: TurnContext
    ) async throws -> INBooleanResolutionResult {
        intent.unseen.map { .success(with: $0) } ?? .notRequired()
    }
}
