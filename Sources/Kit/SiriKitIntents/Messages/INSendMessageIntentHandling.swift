public import IntentKit

/// Sends messages: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required. A parameter without a method is used as it is, and `confirm` answers ready by default.
///
/// ```swift
/// struct MessageHandler: INSendMessageIntentHandling {
///     func resolveContent(for intent: INSendMessageIntent, with context: TurnContext) async throws
///         -> INStringResolutionResult
///     {
///         guard let text = intent.content, !text.isMissing else { return .needsValue() }
///         return .success(with: text)
///     }
///
///     func handle(intent: INSendMessageIntent, context: TurnContext) async throws -> INSendMessageIntentResponse {
///         INSendMessageIntentResponse(code: .success)
///     }
/// }
/// ```
public protocol INSendMessageIntentHandling: INIntentHandling where HandledIntent == INSendMessageIntent {
    /// Finds out who is meant: one result for each recipient in the same order, or a single `needsValue` or
    /// `notRequired` for all of them (R20).
    func resolveRecipients(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> [INSendMessageRecipientResolutionResult]

    /// Finds out what kind of message is meant.
    func resolveOutgoingMessageType(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INOutgoingMessageTypeResolutionResult

    func resolveContent(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult

    func resolveSpeakableGroupName(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult
}

extension INSendMessageIntentHandling {
    /// The four methods, each for the parameter in its name.
    public var resolvers: [Resolve<INSendMessageIntent>] {
        [
            Resolve(by: self.resolveRecipients, \.$recipients),
            Resolve(by: self.resolveOutgoingMessageType, \.$outgoingMessageType),
            Resolve(by: self.resolveContent, \.$content),
            Resolve(by: self.resolveSpeakableGroupName, \.$speakableGroupName),
        ]
    }

    /// Uses the recipients as they are.
    public func resolveRecipients(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> [INSendMessageRecipientResolutionResult] {
        guard let recipients = intent.recipients, !recipients.isMissing else { return [.notRequired()] }
        return recipients.map { .success(with: $0) }
    }

    /// Uses the kind of message as it is.
    public func resolveOutgoingMessageType(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INOutgoingMessageTypeResolutionResult {
        intent.outgoingMessageType.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the text as it is.
    public func resolveContent(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        intent.content.map { .success(with: $0) } ?? .notRequired()
    }

    /// Uses the group as it is.
    public func resolveSpeakableGroupName(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        intent.speakableGroupName.map { .success(with: $0) } ?? .notRequired()
    }
}
