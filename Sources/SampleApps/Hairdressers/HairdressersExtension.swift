public import IntentKit

/// The Hairdressers extension: sends messages to hairdressers that everybody knows, as the book has it.
///
/// It handles the same intent as ``MessagesExtension`` and differs where the book does: a name that nobody has is asked
/// for again instead of refused (behaviour 27), groups may be required, and there is no `confirm` (behaviour
/// 47). An intent has one handler, so a registry holds one of the two.
public enum HairdressersExtension {
    /// Makes the extension.
    ///
    /// - Parameter requiresGroup: Whether a message has to name a group, as in the book's first example; most apps let
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

    /// Fills the stores; hairdressers are everybody's.
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
