public import IntentKit

/// Starts calls: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INStartCallIntentHandling: INIntentHandling where HandledIntent == INStartCallIntent {
    func resolveCallRecordToCallBack(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INCallRecordResolutionResult

    /// Finds out where the call goes to.
    func resolveDestinationType(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INCallDestinationTypeResolutionResult

    /// Finds out who is called: one result for each person in the same order.
    func resolveContacts(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> [INStartCallContactResolutionResult]

    /// Finds out what kind of call it is.
    func resolveCallCapability(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INStartCallCallCapabilityResolutionResult
}

extension INStartCallIntentHandling {
    /// The methods, each for the parameter in its name.
    public var resolvers: [Resolve<INStartCallIntent>] {
        [
            Resolve(by: self.resolveCallRecordToCallBack, \.$callRecordToCallBack),
            Resolve(by: self.resolveDestinationType, \.$destinationType),
            Resolve(by: self.resolveContacts, \.$contacts),
            Resolve(by: self.resolveCallCapability, \.$callCapability),
        ]
    }

    /// Uses what was said as it is.
    public func resolveCallRecordToCallBack(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INCallRecordResolutionResult {
        intent.callRecordToCallBack.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses what was said as it is.
    public func resolveDestinationType(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INCallDestinationTypeResolutionResult {
        intent.destinationType.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses what was said as it is.
    public func resolveContacts(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> [INStartCallContactResolutionResult] {
        guard let values = intent.contacts, !values.isMissing else { return [.notRequired()] }
        return values.map { .success(with: $0) }
    }

    /// Uses what was said as it is.
    public func resolveCallCapability(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INStartCallCallCapabilityResolutionResult {
        intent.callCapability.map { .success(with: $0) } ?? .notRequired()
    }
}
