import IntentKit

extension AddressBook {
    /// The times of the user's last contact with each of these contacts in an app, from the app's store: points in time
    /// in UTC with milliseconds, by contact.
    typealias Habits = @Sendable (_ contacts: [String], any StoreTransaction) throws -> [String: String]

    /// The contacts that each person may mean, in the same order; among several, the one that the user contacted last
    /// comes first (behaviour 36).
    ///
    /// All are found in one read of the stores, so that the journal holds what was found and in which order (R16).
    static func contacts(
        matching people: [INPerson],
        of parameter: String,
        with context: TurnContext,
        habits: @escaping Habits
    ) async throws -> [[Contact]] {
        let searches = people.map { PersonSearch($0, context: context, parameter: parameter) }
        let book = AddressBook(of: context.user.id)
        return try await context.read("contacts") { store in
            try searches.map { search in
                let contacts = try search.contacts(in: book, store)
                guard contacts.count > 1 else { return contacts }
                return contacts.mostRecentFirst(try habits(contacts.map(\.identifier), store))
            }
        }
    }

    /// The groups that a name may mean: by identifier, then by the user's vocabulary, then by name.
    static func groups(
        matching name: INSpeakableString,
        of parameter: String,
        with context: TurnContext
    ) async throws -> [ContactGroup] {
        let vocabulary = context.vocabularyMatches(
            for: name.spokenPhrase,
            type: .contactGroupName,
            parameter: parameter
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

    /// Reads the times from a table with one row for each time that the user was in touch with a contact.
    static func habits(
        of userID: String,
        table: String,
        contact: String,
        time: String,
        where condition: String = "TRUE"
    ) -> Habits {
        { contacts, store in
            let marks = contacts.map { _ in "?" }.joined(separator: ", ")
            let rows = try store.query(
                """
                SELECT \(contact) AS contact, max(\(time)) AS latest FROM \(table)
                WHERE user_id = ? AND \(contact) IN (\(marks)) AND \(condition) GROUP BY \(contact)
                """,
                [.string(userID)] + contacts.map(JSONValue.string)
            )
            return rows.reduce(into: [:]) { latest, row in
                if let contact = row["contact"]?.string { latest[contact] = row["latest"]?.string }
            }
        }
    }
}

extension [Contact] {
    /// Sorts the contacts with the latest time first; those without a time come last, in their original order.
    func mostRecentFirst(_ latest: [String: String]) -> [Contact] {
        self.enumerated()
            .sorted { first, second in
                switch (latest[first.element.identifier], latest[second.element.identifier]) {
                case (let one?, let other?) where one != other: one > other
                case (_?, nil): true
                case (nil, _?): false
                case (_, _): first.offset < second.offset
                }
            }
            .map(\.element)
    }
}

extension INPerson {
    /// A contact as the user may see it: without access to contacts by name only, no addresses (R25).
    init(_ contact: Contact, context: TurnContext) {
        if context.user.hasContactsAccess {
            self.init(
                spokenPhrase: contact.displayName,
                displayName: contact.displayName,
                identifier: contact.identifier,
                handle: contact.handles.first
            )
        } else {
            self.init(spokenPhrase: contact.displayName, identifier: contact.identifier)
        }
    }
}
