import IntentKit
import SiriKitIntents

extension UCSendMessageIntentHandler {
    /// The contacts that each recipient may mean, in the same order; the contact that the user last wrote to comes
    /// first.
    func contacts(matching recipients: [INPerson], with context: TurnContext) async throws -> [[Contact]] {
        let habits = MessageStore.habits(of: context.user.id)
        return try await AddressBook.contacts(
            matching: recipients,
            of: "INSendMessageIntent.recipients",
            with: context,
            habits: habits
        )
    }

    /// The recipients of the message: those named, then the group's members, each once.
    ///
    /// - Returns: Nil when a recipient or the group is not known, or when there are no recipients.
    func addressees(of intent: INSendMessageIntent, with context: TurnContext) async throws -> [Addressee]? {
        var addressees: [Addressee] = []
        let recipients = intent.recipients ?? []
        let matches =
            recipients.isEmpty
            ? [] : try await self.contacts(matching: recipients, with: context)
        for (recipient, contacts) in zip(recipients, matches) {
            guard contacts.count == 1 else { return nil }
            addressees.append(Addressee(contact: contacts[0], person: recipient))
        }
        if let groupName = intent.speakableGroupName, !groupName.isMissing {
            let groups = try await AddressBook.groups(
                matching: groupName,
                of: "INSendMessageIntent.speakableGroupName",
                with: context
            )
            guard groups.count == 1 else { return nil }
            let book = AddressBook(of: context.user.id)
            let members = try await context.read("members") { store in
                try groups[0].members.compactMap { try book.contact($0, in: store) }
            }
            addressees += members.map { Addressee(contact: $0, person: INPerson($0, context: context)) }
        }
        var seen: Set<String> = []
        addressees = addressees.filter { seen.insert($0.contact.identifier).inserted }
        return addressees.isEmpty ? nil : addressees
    }
}
