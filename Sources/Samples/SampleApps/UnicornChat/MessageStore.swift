public import IntentKit
public import SiriKitIntents

/// The sent and received messages, as the app shows them (behaviour 59).
public enum MessageStore {
    /// Stores a message that was received for a user; its sender is a contact of the user's, by identifier.
    ///
    /// The app calls this when a message arrives. The same message again replaces the first.
    /// - Throws: What the store throws.
    public static func receive(
        _ message: INMessage,
        for userID: String,
        notificationIdentifier: String? = nil,
        in store: any StoreTransaction
    ) throws {
        try store.execute("DELETE FROM messages WHERE identifier = ?", [.string(message.identifier)])
        try store.execute("DELETE FROM message_attachments WHERE message = ?", [.string(message.identifier)])
        var row = Self.row(of: message, userID: userID)
        row["batch"] = .string(message.identifier)
        row["is_incoming"] = true
        row["is_read"] = false
        row["sender"] = .string(message.sender?.searchName ?? "")
        row["sender_contact"] = .string(message.sender?.identifier ?? "")
        row["recipient"] = .string(userID)
        row["recipient_name"] = .string(userID)
        row["notification_identifier"] = notificationIdentifier?.json
        try Self.insert(row, in: store)
        try Self.addAttachments(of: message, in: store)
    }

    /// Stores a message of a user to one recipient, with the recipient's address.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - batch: The first of the messages that were sent with it, one for each recipient.
    ///   - userID: The sender.
    ///   - addressee: The recipient.
    ///   - store: The store.
    /// - Throws: What the store throws.
    static func add(
        _ message: INMessage,
        of batch: String,
        from userID: String,
        to addressee: Addressee,
        in store: any StoreTransaction
    ) throws {
        let contact = addressee.contact
        let sender = message.sender?.searchName ?? ""
        var row = Self.row(of: message, userID: userID)
        row["batch"] = .string(batch)
        row["sender"] = .string(sender.isMissing ? userID : sender)
        row["sender_contact"] = .string(userID)
        row["recipient"] = .string(contact.identifier)
        row["recipient_name"] = .string(contact.displayName)
        row["recipient_handle"] = contact.handle(matching: addressee.person.handle)?.value?.json
        try Self.insert(row, in: store)
        try Self.addAttachments(of: message, in: store)
    }

    /// When the user last wrote to each contact.
    static func habits(of userID: String) -> AddressBook.Habits {
        AddressBook.habits(
            of: userID,
            table: "messages",
            contact: "recipient",
            time: "sent_at",
            where: "NOT is_incoming"
        )
    }

    private static func row(of message: INMessage, userID: String) -> JSONObject {
        var row: JSONObject = [
            "identifier": .string(message.identifier), "user_id": .string(userID), "is_incoming": false,
            "message_type": (message.messageType ?? .text).json, "is_read": true, "is_flagged": false,
            "is_played": false,
        ]
        row["contact_group"] = message.groupName?.identifier?.json
        row["group_name"] = message.groupName?.spokenPhrase.json
        row["conversation_identifier"] = message.conversationIdentifier?.json
        row["service_name"] = message.serviceName?.json
        row["content"] = message.content?.json
        row["content_key"] = message.content?.matchingKey.json
        row["sent_at"] = message.dateSent.map { OffsetDateTime($0.date).json }
        return row
    }

    private static func insert(_ row: JSONObject, in store: any StoreTransaction) throws {
        let columns = row.sorted { $0.key < $1.key }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try store.execute(
            "INSERT INTO messages (\(columns.map(\.key).joined(separator: ", "))) VALUES (\(marks))",
            columns.map(\.value)
        )
    }

    private static func addAttachments(of message: INMessage, in store: any StoreTransaction) throws {
        for (position, file) in (message.attachments ?? []).enumerated() {
            try store.execute(
                "INSERT INTO message_attachments (message, position, name, type, url, identifier) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .string(message.identifier), .integer(Int64(position)), file.name?.json ?? .null,
                    file.type?.json ?? .null, file.url?.json ?? .null, file.identifier?.json ?? .null,
                ]
            )
        }
    }
}
