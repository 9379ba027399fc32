import IntentKit

/// A search for one person in the address book, prepared before the store is read.
struct PersonSearch: Sendable {
    /// The app's identifier, if the user has chosen or the app has found the person before.
    var identifier: String?
    /// The entries of the user's vocabulary for the name: identifiers, or other names; the most important first.
    var vocabulary: [VocabularyMatch]
    /// The name said.
    var name: String
    /// The address asked for.
    var handle: INPersonHandle?

    /// Prepares the search for a person.
    ///
    /// Without access to the user's contacts only the spoken words count, and identifiers, which are the app's own and
    /// not the contacts' (R25, behaviour 86).
    ///
    /// - Parameters:
    ///   - person: The person as the user named them.
    ///   - context: The turn's context.
    ///   - parameter: The parameter's path in global vocabularies, such as `INSendMessageIntent.recipients`.
    init(_ person: INPerson, context: TurnContext, parameter: String) {
        let hasAccess = context.user.hasContactsAccess
        let name = hasAccess ? person.searchName : person.spokenPhrase ?? ""
        self.identifier = person.identifier
        self.name = name
        self.handle = hasAccess ? person.handle : nil
        self.vocabulary =
            name.isMissing ? [] : context.vocabularyMatches(for: name, type: .contactName, parameter: parameter)
    }

    /// The contacts that may be meant, found by identifier, then by the user's vocabulary, then by name, then by
    /// address.
    func contacts(in book: AddressBook, _ store: any StoreTransaction) throws -> [Contact] {
        if let identifier = self.identifier { return try [book.contact(identifier, in: store)].compactMap { $0 } }
        var found: [Contact] = []
        for entry in self.vocabulary {
            if let identifier = entry.identifier {
                if let contact = try book.contact(identifier, in: store) { found.append(contact) }
            } else {
                found += try book.contacts(named: entry.phrase, in: store)
            }
        }
        if found.isEmpty { found = try book.contacts(named: self.name, in: store) }
        guard let address = self.handle?.value else { return found.withoutRepetitions }
        if self.name.isMissing { return try book.contacts(named: address, in: store) }
        // Of several people of one name, the one whose address was given.
        let owners = found.filter { $0.handles.contains { $0.value?.matchingKey == address.matchingKey } }
        return (owners.isEmpty ? found : owners).withoutRepetitions
    }
}

extension [Contact] {
    /// Each contact once, in order.
    var withoutRepetitions: [Contact] {
        var seen: Set<String> = []
        return self.filter { seen.insert($0.identifier).inserted }
    }
}
