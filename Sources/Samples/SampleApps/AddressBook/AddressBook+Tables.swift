public import IntentKit

extension AddressBook {
    /// The tables of address books: every extension that looks people up lists this step first.
    public static let migration = StoreMigration(
        "contacts/1",
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
            """
    )
}
