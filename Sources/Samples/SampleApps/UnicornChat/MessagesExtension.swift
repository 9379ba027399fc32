public import IntentKit
import SiriKitIntents

/// The UnicornChat extension: sends messages to the contacts and groups of a user's address book, finds messages and
/// marks them.
public enum MessagesExtension {
    /// Creates the extension.
    ///
    /// - Parameters:
    ///   - restrictedWhileLocked: Whether the device must be unlocked first, for unicorns who like their privacy
    ///     (behaviour 83). An event that does not say so counts as locked then (contract, section 2).
    ///   - confirmation: The policy that decides whether the user is asked before a message is sent.
    ///   - maximumContentLength: The largest number of characters of a message.
    ///   - maximumResults: The largest number of messages that a search may find.
    /// - Returns: The extension, with the tables that it needs.
    public static func make(
        restrictedWhileLocked: Bool = false,
        confirmation: ConfirmationPolicy = .always,
        maximumContentLength: Int = UCSendMessageIntentHandler.defaultMaximumContentLength,
        maximumResults: Int = UCSearchForMessagesIntentHandler.defaultMaximumResults
    ) -> IntentExtension {
        IntentExtension(
            "UnicornChat",
            restrictedWhileLocked: restrictedWhileLocked ? Self.intentNames : [],
            migrations: [AddressBook.migration, Self.migration],
            addDemoData: Self.addDemoData
        ) {
            IntentRegistration(version: "1", confirmation: confirmation) {
                UCSendMessageIntentHandler(maximumContentLength: maximumContentLength)
            }
            IntentRegistration(version: "1", isReadOnly: true) {
                UCSearchForMessagesIntentHandler(maximumResults: maximumResults)
            }
            IntentRegistration(version: "1") { UCSetMessageAttributeIntentHandler() }
        }
    }

    private static let intentNames: Set = [
        INSendMessageIntent.intentName, INSearchForMessagesIntent.intentName, INSetMessageAttributeIntent.intentName,
    ]

    /// Fills the stores of a user of a demo or a test.
    static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try AddressBook.addDemoData(for: userID, in: store)
        try UnicornService.addDemoData(for: userID, in: store)
    }

    static let migration = StoreMigration(
        "messages/1",
        sql: """
            CREATE TABLE sessions (
                user_id TEXT NOT NULL PRIMARY KEY,
                expires_at TEXT NOT NULL,
                is_signed_out INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE services (
                name_key TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                is_available INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE forbidden_words (
                word_key TEXT NOT NULL PRIMARY KEY,
                word TEXT NOT NULL
            ) STRICT;
            CREATE TABLE messages (
                identifier TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                batch TEXT NOT NULL,
                is_incoming INTEGER NOT NULL,
                message_type TEXT NOT NULL,
                sender TEXT NOT NULL,
                sender_contact TEXT NOT NULL,
                recipient TEXT NOT NULL,
                recipient_name TEXT NOT NULL,
                recipient_handle TEXT,
                contact_group TEXT,
                group_name TEXT,
                conversation_identifier TEXT,
                service_name TEXT,
                content TEXT,
                content_key TEXT,
                sent_at TEXT NOT NULL,
                notification_identifier TEXT,
                is_read INTEGER NOT NULL,
                is_flagged INTEGER NOT NULL,
                is_played INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX messages_by_user ON messages (user_id, sent_at);
            CREATE INDEX messages_by_recipient ON messages (user_id, recipient, sent_at);
            CREATE INDEX messages_by_batch ON messages (batch);
            CREATE TABLE message_attachments (
                message TEXT NOT NULL,
                position INTEGER NOT NULL,
                name TEXT,
                type TEXT,
                url TEXT,
                identifier TEXT,
                PRIMARY KEY (message, position)
            ) STRICT;
            """
    )
}
