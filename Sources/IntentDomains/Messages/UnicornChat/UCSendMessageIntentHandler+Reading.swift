import IntentKit

extension UCSendMessageIntentHandler {
    /// The contacts that each recipient may mean, in the same order.
    func contacts(matching recipients: [INPerson], with context: TurnContext) async throws -> [[Contact]] {
        let searches = recipients.map { RecipientSearch($0, context: context) }
        let book = AddressBook(of: context.user.id)
        return try await context.read("contacts") { store in
            try searches.map { try $0.contacts(in: book, store) }
        }
    }

    /// The groups that a name may mean: by identifier, then by the user's vocabulary, then by name.
    func groups(matching name: INSpeakableString, with context: TurnContext) async throws -> [ContactGroup] {
        let vocabulary = context.vocabularyMatches(
            for: name.spokenPhrase,
            type: .contactGroupName,
            parameter: "INSendMessageIntent.speakableGroupName"
        )
        let book = AddressBook(of: context.user.id)
        return try await context.read("groups") { store in
            if let identifier = name.identifier { return try [book.group(identifier, in: store)].compactMap { $0 } }
            for entry in vocabulary {
                if let identifier = entry.identifier {
                    if let group = try book.group(identifier, in: store) { return [group] }
                } else {
                    let groups = try book.groups(named: entry.phrase, in: store)
                    if !groups.isEmpty { return groups }
                }
            }
            return try book.groups(named: name.spokenPhrase, in: store)
        }
    }

    /// Whom the message goes to: the recipients, then the group's members, each once.
    ///
    /// - Returns: Nil when a recipient or the group is not known, or when there is nobody at all.
    func addressees(of intent: INSendMessageIntent, with context: TurnContext) async throws -> [Addressee]? {
        var addressees: [Addressee] = []
        let recipients = intent.recipients ?? []
        let matches = recipients.isEmpty ? [] : try await self.contacts(matching: recipients, with: context)
        for (recipient, contacts) in zip(recipients, matches) {
            guard contacts.count == 1 else { return nil }
            addressees.append(Addressee(contact: contacts[0], person: recipient))
        }
        if let groupName = intent.speakableGroupName, !groupName.isMissing {
            let groups = try await self.groups(matching: groupName, with: context)
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
