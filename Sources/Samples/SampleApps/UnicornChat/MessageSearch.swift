import IntentKit
import SiriKitIntents

/// A search among a user's messages; a message must satisfy all its parts.
struct MessageSearch: Sendable {
    /// Conditions with their arguments.
    private var conditions: [(sql: String, arguments: [JSONValue])]

    /// Creates a search for all messages of a user.
    init(of userID: String) {
        self.conditions = [("m.user_id = ?", [.string(userID)])]
    }

    /// Requires several values of one kind, combined by the operator; no values require nothing.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - operation: The operator; all values are required where none is given, as in SiriKit.
    ///   - sql: The condition for one value.
    mutating func want(_ values: [String], _ operation: INConditionalOperator?, _ sql: String) {
        guard !values.isEmpty else { return }
        let each = values.map { _ in "(\(sql))" }
        let joined =
            switch operation ?? .all {
            case .all: each.joined(separator: " AND ")
            case .any: "(" + each.joined(separator: " OR ") + ")"
            case .none: "NOT (" + each.joined(separator: " OR ") + ")"
            }
        self.conditions.append((joined, values.map(JSONValue.string)))
    }

    /// Requires messages with these marks.
    mutating func want(_ attributes: INMessageAttributeOptions) {
        let columns: KeyValuePairs<INMessageAttributeOptions, String> = [
            .read: "m.is_read", .unread: "NOT m.is_read", .flagged: "m.is_flagged", .unflagged: "NOT m.is_flagged",
            .played: "m.is_played",
        ]
        for (attribute, sql) in columns where attributes.contains(attribute) { self.conditions.append((sql, [])) }
    }

    /// Requires messages of that time.
    mutating func want(_ range: INDateComponentsRange) { self.conditions.append(range.condition(on: "m.sent_at")) }

    /// The messages, the latest first, up to a limit.
    func messages(limit: Int, in store: any StoreTransaction) throws -> [INMessage] {
        let sql = self.conditions.map(\.sql).joined(separator: " AND ")
        let rows = try store.query(
            "SELECT m.* FROM messages m WHERE \(sql) ORDER BY m.sent_at DESC, m.identifier LIMIT ?",
            self.conditions.flatMap(\.arguments) + [.integer(Int64(limit))]
        )
        return try rows.map { try INMessage(row: $0, in: store) }
    }
}

extension INMessage {
    /// A message as it is stored; people by name and identifier, without addresses.
    init(row: JSONObject, in store: any StoreTransaction) throws {
        let identifier = row["identifier"]?.string ?? ""
        let attachments = try store.query(
            "SELECT name, type, url, identifier FROM message_attachments WHERE message = ? ORDER BY position",
            [.string(identifier)]
        )
        let sender = row["sender"]?.string ?? ""
        let recipient = row["recipient_name"]?.string ?? ""
        self.init(
            identifier: identifier,
            conversationIdentifier: row["conversation_identifier"]?.string,
            content: row["content"]?.string,
            dateSent: row["sent_at"]?.string.flatMap { OffsetDateTime($0) },
            sender: INPerson(spokenPhrase: sender, identifier: row["sender_contact"]?.string),
            recipients: [INPerson(spokenPhrase: recipient, identifier: row["recipient"]?.string)],
            groupName: row["group_name"]?.string
                .map { INSpeakableString(spokenPhrase: $0, identifier: row["contact_group"]?.string) },
            serviceName: row["service_name"]?.string,
            messageType: row["message_type"].flatMap(INMessageType.init(json:)),
            attachments: attachments.isEmpty
                ? nil : attachments.compactMap { INSendMessageAttachment(json: .object($0)) }
        )
    }
}
