import IntentKit
import SiriKitIntents

extension UCSearchForMessagesIntentHandler {
    /// Looks for each person in the address book, or recognises the user themselves; an empty list is not required.
    func resolve(_ people: [INPerson]?, with context: TurnContext) async throws -> [INPersonResolutionResult] {
        guard let people, !people.isMissing else { return [.notRequired()] }
        let habits = MessageStore.habits(of: context.user.id)
        let matches = try await AddressBook.contacts(
            matching: people,
            of: "INSearchForMessagesIntent.recipients",
            with: context,
            habits: habits
        )
        return zip(people, matches)
            .map { person, contacts in
                if person.identifier == context.user.id { return .success(with: person) }
                let found = contacts.map { INPerson($0, context: context) }
                return found.count == 1 ? .success(with: found[0]) : .disambiguation(with: found)
            }
    }

    /// The search; nil when a person or a group is not known.
    func search(_ intent: INSearchForMessagesIntent, _ context: TurnContext) async throws -> MessageSearch? {
        guard let recipients = try await self.identifiers(of: intent.recipients, context),
            let senders = try await self.identifiers(of: intent.senders, context)
        else { return nil }
        var groups: [String] = []
        for name in intent.speakableGroupNames ?? [] {
            let found = try await AddressBook.groups(
                matching: name,
                of: "INSearchForMessagesIntent.speakableGroupNames",
                with: context
            )
            guard found.count == 1 else { return nil }
            groups.append(found[0].identifier)
        }
        var search = MessageSearch(of: context.user.id)
        // All recipients of the same batch are recipients of the message.
        let together = "SELECT 1 FROM messages b WHERE b.batch = m.batch AND b.user_id = m.user_id AND b.recipient = ?"
        search.want(recipients, intent.recipientsOperator, "EXISTS (\(together))")
        search.want(senders, intent.sendersOperator, "m.sender_contact = ?")
        let terms = (intent.searchTerms ?? []).map(\.matchingKey).filter { !$0.isEmpty }
        search.want(terms, intent.searchTermsOperator, "instr(coalesce(m.content_key, ''), ?) > 0")
        search.want(intent.identifiers ?? [], intent.identifiersOperator, "m.identifier = ?")
        search.want(
            intent.notificationIdentifiers ?? [],
            intent.notificationIdentifiersOperator,
            "coalesce(m.notification_identifier, '') = ?"
        )
        search.want(groups, intent.speakableGroupNamesOperator, "coalesce(m.contact_group, '') = ?")
        search.want(
            intent.conversationIdentifiers ?? [],
            intent.conversationIdentifiersOperator,
            "coalesce(m.conversation_identifier, '') = ?"
        )
        if let attributes = intent.attributes { search.want(attributes) }
        if let range = intent.dateTimeRange { search.want(range) }
        return search
    }

    /// The app's identifiers of people; nil when one of them is not known.
    private func identifiers(of people: [INPerson]?, _ context: TurnContext) async throws -> [String]? {
        guard let people, !people.isMissing else { return [] }
        let habits = MessageStore.habits(of: context.user.id)
        let matches = try await AddressBook.contacts(
            matching: people,
            of: "INSearchForMessagesIntent.recipients",
            with: context,
            habits: habits
        )
        var identifiers: [String] = []
        for (person, contacts) in zip(people, matches) {
            if person.identifier == context.user.id {
                identifiers.append(context.user.id)
            } else if contacts.count == 1 {
                identifiers.append(contacts[0].identifier)
            } else {
                return nil
            }
        }
        return identifiers
    }
}
