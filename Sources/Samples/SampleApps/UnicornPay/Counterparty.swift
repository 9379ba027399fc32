import IntentKit

/// The other side of a payment: a contact of the user's, with the account that the contact has.
struct Counterparty: Sendable, Codable {
    var contact: Contact
    /// The contact's account; nil without one.
    var account: PaymentAccount?

    /// The counterparties that a person may be; the one that the user dealt with last comes first.
    static func all(matching person: INPerson, with context: TurnContext) async throws -> [Counterparty] {
        let habits = PaymentBook.habits(of: context.user.id)
        let contacts =
            try await
            AddressBook.contacts(matching: [person], of: "INSendPaymentIntent.payee", with: context, habits: habits)[0]
        return try await context.read("accounts") { store in
            try contacts.map { contact in
                let account = try UnicornPay.account(withHandles: contact.handles, in: store)
                return Counterparty(contact: contact, account: account)
            }
        }
    }

    /// The one counterparty that is meant, with an account that is not the user's own; nil when there is none.
    static func one(
        matching person: INPerson?,
        with context: TurnContext
    ) async throws -> (contact: Contact, account: PaymentAccount)? {
        guard let person, !person.isMissing else { return nil }
        let found = try await Self.all(matching: person, with: context)
        guard found.count == 1, let account = found[0].account, account.hasVerifiedCredentials,
            account.userID != context.user.id
        else { return nil }
        return (found[0].contact, account)
    }
}

extension INPerson {
    /// Creates a contact with the name that the user used.
    init(_ contact: Contact, saidAs person: INPerson, context: TurnContext) {
        self.init(contact, context: context)
        self.spokenPhrase = person.spokenPhrase ?? self.spokenPhrase
    }
}
