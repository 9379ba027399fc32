import IntentKit

/// The messages that were sent, as the app shows them (seed behaviour 59).
enum MessageStore {
    /// Stores a message of a user to one recipient, with the address that it goes to.
    static func add(
        _ message: INMessage,
        from userID: String,
        to addressee: Addressee,
        in store: any StoreTransaction
    ) throws {
        let contact = addressee.contact
        let sender = message.sender?.searchName ?? ""
        try store.execute(
            """
            INSERT INTO messages (identifier, user_id, sender, recipient, recipient_name, recipient_handle,
                contact_group, group_name, conversation_identifier, service_name, content, sent_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(message.identifier), .string(userID),
                .string(sender.isMissing ? userID : sender),
                .string(contact.identifier), .string(contact.displayName),
                contact.handle(matching: addressee.person.handle)?.value?.json ?? .null,
                message.groupName?.identifier?.json ?? .null,
                message.groupName?.spokenPhrase.json ?? .null, message.conversationIdentifier?.json ?? .null,
                message.serviceName?.json ?? .null, message.content?.json ?? .null, message.dateSent?.json ?? .null,
            ]
        )
    }
}
