public import IntentKit

/// The Hairdressers extension: sends messages to hairdressers that all users share, as in the book.
///
/// It handles the same intent as ``MessagesExtension`` and differs where the book does: an unknown name is asked for
/// again instead of refused (behaviour 27), groups may be required, and there is no `confirm` (behaviour 47). An intent
/// has one handler, so a registry contains one of the two.
public enum HairdressersExtension {
    /// Creates the extension.
    ///
    /// - Parameter requiresGroup: Whether a message must name a group, as in the book's first example; most apps let
    ///   the user omit it (behaviour 32).
    /// - Returns: The extension, with the tables that it needs.
    public static func make(requiresGroup: Bool = false) -> IntentExtension {
        IntentExtension(
            "Hairdressers",
            migrations: [Self.migration],
            addDemoData: Self.addDemoData
        ) {
            IntentRegistration(version: "1") { HDSendMessageIntentHandler(requiresGroup: requiresGroup) }
        }
    }

    /// Fills the stores; all users share the hairdressers.
    static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try Hairdressers.addDemoData(in: store)
    }

    /// The tables of hairdressers, groups and messages.
    static let migration = StoreMigration(
        "hairdressers/1",
        sql: """
            CREATE TABLE hairdressers (
                name TEXT NOT NULL PRIMARY KEY
            ) STRICT;
            CREATE TABLE hairdresser_groups (
                name TEXT NOT NULL PRIMARY KEY
            ) STRICT;
            CREATE TABLE hairdresser_messages (
                identifier TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                created_at TEXT NOT NULL,
                hairdresser TEXT NOT NULL,
                group_name TEXT,
                content TEXT NOT NULL
            ) STRICT;
            """
    )
}
