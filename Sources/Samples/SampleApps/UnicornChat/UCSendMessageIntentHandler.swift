public import IntentKit
public import SiriKitIntents

/// Sends UnicornChat messages.
public struct UCSendMessageIntentHandler: INSendMessageIntentHandling {
    /// The default for the largest number of characters of a message.
    public static let defaultMaximumContentLength = 2_000

    /// The largest number of characters of a message.
    let maximumContentLength: Int

    public init(maximumContentLength: Int = Self.defaultMaximumContentLength) {
        self.maximumContentLength = maximumContentLength
    }

    /// Looks for each recipient in the address book.
    ///
    /// Several matches are offered to choose from, one is accepted, none is unsupported (behaviour 26). Without
    /// recipients there must be a group.
    public func resolveRecipients(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> [INSendMessageRecipientResolutionResult] {
        guard let recipients = intent.recipients, !recipients.isMissing else {
            return [intent.namesGroup ? .notRequired() : .needsValue()]
        }
        let matches = try await self.contacts(matching: recipients, with: context)
        return zip(recipients, matches)
            .map { recipient, contacts in
                switch contacts.count {
                case 2...: .disambiguation(with: contacts.map { INPerson($0, context: context) })
                case 1: self.resolution(of: recipient, to: contacts[0], with: context)
                default: .unsupported(forReason: .noAccount)
                }
            }
    }

    /// Accepts text; a recording must come as an attachment, and an attachment counts as a recording (behaviour 15).
    public func resolveOutgoingMessageType(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INOutgoingMessageTypeResolutionResult {
        let hasRecording = intent.sentType == .audio
        return switch intent.outgoingMessageType {
        case nil, .unknown: hasRecording ? .success(with: .outgoingMessageAudio) : .notRequired()
        case .outgoingMessageText: .success(with: .outgoingMessageText)
        case .outgoingMessageAudio: hasRecording ? .success(with: .outgoingMessageAudio) : .unsupported()
        }
    }

    /// Asks for the text when there is neither a text nor a recording.
    public func resolveContent(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INStringResolutionResult {
        guard let text = intent.content, !text.isMissing else {
            return intent.sentType == .audio ? .notRequired() : .needsValue()
        }
        return .success(with: text)
    }

    /// Looks for the group among those stored; a message does not need one.
    public func resolveSpeakableGroupName(
        for intent: INSendMessageIntent,
        with context: TurnContext
    ) async throws -> INSpeakableStringResolutionResult {
        guard let groupName = intent.speakableGroupName, !groupName.isMissing else { return .notRequired() }
        let groups = try await AddressBook.groups(
            matching: groupName,
            of: "INSendMessageIntent.speakableGroupName",
            with: context
        )
        let names = groups.map { INSpeakableString(spokenPhrase: $0.name, identifier: $0.identifier) }
        return switch names.count {
        case 2...: .disambiguation(with: names)
        case 1: .success(with: names[0])
        default: .unsupported()
        }
    }

    /// Resolves a recipient with one matching contact: checks that the contact can be reached at the requested address.
    private func resolution(
        of recipient: INPerson,
        to contact: Contact,
        with context: TurnContext
    ) -> INSendMessageRecipientResolutionResult {
        if let reason = contact.unsupportedReason { return .unsupported(forReason: reason) }
        var person = INPerson(contact, context: context)
        guard context.user.hasContactsAccess else { return .success(with: person) }
        guard let handle = contact.handle(matching: recipient.handle) else {
            return .unsupported(forReason: recipient.handle?.value == nil ? .noHandleForLabel : .requestedHandleInvalid)
        }
        person.spokenPhrase = recipient.spokenPhrase ?? person.spokenPhrase
        person.handle = handle
        return .success(with: person)
    }
}

extension INSendMessageIntent {
    var namesGroup: Bool { self.speakableGroupName.map { !$0.isMissing } ?? false }
}
