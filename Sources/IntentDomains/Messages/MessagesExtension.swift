public import IntentKit

/// The UnicornChat extension: sends messages to the contacts and groups of a user's address book.
public enum MessagesExtension {
    /// Makes the extension.
    ///
    /// - Parameters:
    ///   - restrictedWhileLocked: Whether the device has to be unlocked first, as unicorns who like their privacy want
    ///     it (seed behaviour 83). An event that does not say counts as locked then (SPEC section 2).
    ///   - confirmation: Who decides whether the user is asked before a message is sent.
    ///   - maximumContentLength: The most characters that a message may have.
    /// - Returns: The extension, with the tables that it needs.
    public static func make(
        restrictedWhileLocked: Bool = false,
        confirmation: ConfirmationPolicy = .always,
        maximumContentLength: Int = UCSendMessageIntentHandler.defaultMaximumContentLength
    ) -> IntentExtension {
        IntentExtension(
            "UnicornChat",
            restrictedWhileLocked: restrictedWhileLocked ? [INSendMessageIntent.intentName] : [],
            migrations: Self.migrations
        ) {
            IntentRegistration(version: "1", confirmation: confirmation) {
                UCSendMessageIntentHandler(maximumContentLength: maximumContentLength)
            }
        }
    }

    /// The tables of address books, services and messages.
    static let migrations = [
        StoreMigration(
            "messages/1",
            sql: """
                CREATE TABLE contacts (
                    user_id TEXT NOT NULL,
                    identifier TEXT NOT NULL,
                    display_name TEXT NOT NULL,
                    name_key TEXT NOT NULL,
                    has_account INTEGER NOT NULL,
                    is_reachable INTEGER NOT NULL,
                    takes_messages INTEGER NOT NULL,
                    PRIMARY KEY (user_id, identifier)
                ) STRICT;
                CREATE INDEX contacts_by_name ON contacts (user_id, name_key);
                CREATE TABLE contact_handles (
                    user_id TEXT NOT NULL,
                    contact TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    value TEXT,
                    value_key TEXT,
                    type TEXT NOT NULL,
                    label TEXT,
                    PRIMARY KEY (user_id, contact, position)
                ) STRICT;
                CREATE INDEX contact_handles_by_value ON contact_handles (user_id, value_key);
                CREATE TABLE contact_groups (
                    user_id TEXT NOT NULL,
                    identifier TEXT NOT NULL,
                    name TEXT NOT NULL,
                    name_key TEXT NOT NULL,
                    PRIMARY KEY (user_id, identifier)
                ) STRICT;
                CREATE TABLE group_members (
                    user_id TEXT NOT NULL,
                    contact_group TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    contact TEXT NOT NULL,
                    PRIMARY KEY (user_id, contact_group, contact)
                ) STRICT;
                CREATE TABLE sessions (
                    user_id TEXT NOT NULL PRIMARY KEY,
                    expires_at TEXT NOT NULL
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
                    sender TEXT NOT NULL,
                    recipient TEXT NOT NULL,
                    recipient_name TEXT NOT NULL,
                    recipient_handle TEXT,
                    contact_group TEXT,
                    group_name TEXT,
                    conversation_identifier TEXT,
                    service_name TEXT,
                    content TEXT NOT NULL,
                    sent_at TEXT NOT NULL
                ) STRICT;
                CREATE INDEX messages_by_user ON messages (user_id, sent_at);
                """
        )
    ]
}
