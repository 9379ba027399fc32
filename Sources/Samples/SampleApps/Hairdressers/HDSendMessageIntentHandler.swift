public import IntentKit
public import SiriKitIntents

/// Sends messages to hairdressers: the book's `SendMessageIntentHandler`.
public struct HDSendMessageIntentHandler: INSendMessageIntentHandling {
    /// Whether a message has to name a group.
    let requiresGroup: Bool

    public init(requiresGroup: Bool = false) { self.requiresGroup = requiresGroup }

    /// Looks for each recipient among the hairdressers; an unknown name is asked for again (behaviour 27).
    public func resolveRecipients(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> [INSendMessageRecipientResolutionResult] {
        guard let recipients = intent.recipients, !recipients.isMissing else { return [.needsValue()] }
        let names = recipients.map(\.searchName)
        let matches = try await context.read("hairdressers") { store in
            try names.map { try Hairdressers.named($0, in: store) }
        }
        return zip(recipients, matches)
            .map { recipient, matches in
                let people = matches.map { INPerson(spokenPhrase: $0, displayName: $0) }
                return switch people.count {
                case 0: .needsValue()
                case 1: .success(with: people[0])
                default: .disambiguation(with: people)
                }
            }
    }

    /// Looks for the group by any part of its name (behaviour 31).
    public func resolveSpeakableGroupName(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        guard let given = intent.speakableGroupName, !given.isMissing else {
            return self.requiresGroup ? .needsValue() : .notRequired()
        }
        let groups =
            try await context.read("groups") { try Hairdressers.groups(containing: given.spokenPhrase, in: $0) }
            .map { INSpeakableString(spokenPhrase: $0) }
        return switch groups.count {
        case 0: .needsValue()
        case 1: .success(with: groups[0])
        default: .disambiguation(with: groups)
        }
    }

    /// Asks for the text when there is none.
    public func resolveContent(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let text = intent.content, !text.isMissing else { return .needsValue() }
        return .success(with: text)
    }

    /// Stores one message for each hairdresser, with time, name and content (behaviours 52 and 53).
    public func handle(
        intent: INSendMessageIntent,
        context: TurnContext
    ) async throws -> INSendMessageIntentResponse {
        guard let hairdressers = intent.recipients, !hairdressers.isMissing, let content = intent.content,
            !content.isMissing
        else { return INSendMessageIntentResponse(code: .failure) }
        let messages = hairdressers.map { hairdresser in
            INMessage(
                identifier: context.makeIdentifier(),
                content: content,
                dateSent: OffsetDateTime(context.now),
                sender: INPerson(identifier: context.user.id),
                recipients: [hairdresser],
                groupName: intent.speakableGroupName
            )
        }
        let userID = context.user.id
        var response = INSendMessageIntentResponse(code: .success)
        response.sentMessages = try await context.effect("sendMessages") { store in
            for message in messages {
                try store.execute(
                    """
                    INSERT INTO hairdresser_messages (identifier, user_id, created_at, hairdresser, group_name, content)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .string(message.identifier), .string(userID), message.dateSent?.json ?? .null,
                        .string(message.recipients?.first?.searchName ?? ""),
                        message.groupName?.spokenPhrase.json ?? .null, .string(content),
                    ]
                )
            }
            return messages
        }
        return response
    }
}
