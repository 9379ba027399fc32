public import IntentKit

/// The UnicornTalk extension: resolves whom to call and how, hands the call to the app, and searches the past calls.
public enum CallsExtension {
    /// Creates the extension.
    ///
    /// - Parameter maximumResults: The largest number of calls that a search shows; with more, the app continues.
    /// - Returns: The extension, with the tables that it needs.
    public static func make(
        maximumResults: Int = UTSearchCallHistoryIntentHandler.defaultMaximumResults
    ) -> IntentExtension {
        IntentExtension(
            "UnicornTalk",
            migrations: [AddressBook.migration, Self.migration],
            addDemoData: Self.addDemoData
        ) {
            IntentRegistration(version: "1") { UTStartCallIntentHandler() }
            IntentRegistration(version: "1") { UTStartAudioCallIntentHandler() }
            IntentRegistration(version: "1") { UTStartVideoCallIntentHandler() }
            IntentRegistration(version: "1", isReadOnly: true) {
                UTSearchCallHistoryIntentHandler(maximumResults: maximumResults)
            }
        }
    }

    /// Fills the stores of a user of a demo or a test.
    static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try AddressBook.addDemoData(for: userID, in: store)
        try UnicornTalk.addDemoData(for: userID, in: store)
    }

    /// The tables of lines, of contacts' capabilities, and of calls.
    static let migration = StoreMigration(
        "calls/1",
        sql: """
            CREATE TABLE call_lines (
                user_id TEXT NOT NULL PRIMARY KEY,
                has_session INTEGER NOT NULL,
                is_signed_out INTEGER NOT NULL,
                is_configured INTEGER NOT NULL,
                is_in_airplane_mode INTEGER NOT NULL,
                is_service_available INTEGER NOT NULL,
                can_hand_off INTEGER NOT NULL,
                has_microphone INTEGER NOT NULL,
                has_camera INTEGER NOT NULL,
                takes_group_calls INTEGER NOT NULL,
                voicemail_number TEXT
            ) STRICT;
            CREATE TABLE callees (
                user_id TEXT NOT NULL,
                contact TEXT NOT NULL,
                is_supported INTEGER NOT NULL,
                takes_video INTEGER NOT NULL,
                PRIMARY KEY (user_id, contact)
            ) STRICT;
            CREATE TABLE calls (
                identifier TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL,
                contact TEXT,
                display_name TEXT NOT NULL,
                handle TEXT,
                handle_type TEXT NOT NULL,
                call_type TEXT NOT NULL,
                capability TEXT NOT NULL,
                started_at TEXT NOT NULL,
                duration REAL,
                is_unseen INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX calls_by_user ON calls (user_id, started_at);
            CREATE INDEX calls_by_contact ON calls (user_id, contact, started_at);
            """
    )
}
