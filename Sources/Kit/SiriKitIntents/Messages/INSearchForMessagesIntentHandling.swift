public import IntentKit

/// Finds messages: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
public protocol INSearchForMessagesIntentHandling: INIntentHandling where HandledIntent == INSearchForMessagesIntent {
    /// Finds out whom the messages were for: one result for each person in the same order.
    func resolveRecipients(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult]

    /// Finds out whom the messages are from: one result for each person in the same order.
    func resolveSenders(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult]

    /// Finds out what the messages are marked as.
    func resolveAttributes(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> INMessageAttributeOptionsResolutionResult

    /// Finds out when the messages were sent.
    func resolveDateTimeRange(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult

    /// Finds out which groups are meant: one result for each in the same order.
    func resolveSpeakableGroupNames(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INSpeakableStringResolutionResult]
}

/// The result for what messages are marked as.
public typealias INMessageAttributeOptionsResolutionResult = ParameterResolution<INMessageAttributeOptions, NoReason>

extension INSearchForMessagesIntentHandling {
    /// The five methods, each for the parameter in its name.
    public var resolvers: [Resolve<INSearchForMessagesIntent>] {
        [
            Resolve(by: self.resolveRecipients, \.$recipients),
            Resolve(by: self.resolveSenders, \.$senders),
            Resolve(by: self.resolveAttributes, \.$attributes),
            Resolve(by: self.resolveDateTimeRange, \.$dateTimeRange),
            Resolve(by: self.resolveSpeakableGroupNames, \.$speakableGroupNames),
        ]
    }

    /// Uses the recipients as they are.
    public func resolveRecipients(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        guard let recipients = intent.recipients, !recipients.isMissing else { return [.notRequired()] }
        return recipients.map { .success(with: $0) }
    }

    /// Uses the senders as they are.
    public func resolveSenders(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INPersonResolutionResult] {
        guard let senders = intent.senders, !senders.isMissing else { return [.notRequired()] }
        return senders.map { .success(with: $0) }
    }

    /// Uses the attributes as they are.
    public func resolveAttributes(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> INMessageAttributeOptionsResolutionResult {
        intent.attributes.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the range as it is.
    public func resolveDateTimeRange(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> INDateComponentsRangeResolutionResult {
        intent.dateTimeRange.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the groups as they are.
    public func resolveSpeakableGroupNames(
        for intent: INSearchForMessagesIntent,
        with context: TurnContext
    ) async throws -> [INSpeakableStringResolutionResult] {
        guard let names = intent.speakableGroupNames, !names.isMissing else { return [.notRequired()] }
        return names.map { .success(with: $0) }
    }
}
