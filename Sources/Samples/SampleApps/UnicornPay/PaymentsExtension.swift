public import IntentKit

/// The UnicornPay extension: sends money to the contacts of a user's address book, and requests money from them.
public enum PaymentsExtension {
    /// Creates the extension.
    ///
    /// Both intents are financial: the device must be unlocked and the user is asked each time, whatever the
    /// configuration says (R26, R29).
    /// - Returns: The extension, with the tables that it needs.
    public static func make() -> IntentExtension {
        IntentExtension(
            "UnicornPay",
            migrations: [AddressBook.migration, Self.migration],
            addDemoData: Self.addDemoData
        ) {
            IntentRegistration(version: "1", isFinancial: true) { UPSendPaymentIntentHandler() }
            IntentRegistration(version: "1", isFinancial: true) { UPRequestPaymentIntentHandler() }
        }
    }

    /// Fills the stores of a user of a demo or a test.
    static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try AddressBook.addDemoData(for: userID, in: store)
        try UnicornPay.addDemoData(for: userID, in: store)
    }

    /// The tables of accounts, balances, currencies and payments; all amounts in the currency's smallest coin.
    static let migration = StoreMigration(
        "payments/1",
        sql: """
            CREATE TABLE payment_currencies (
                currency_code TEXT NOT NULL PRIMARY KEY,
                minimum INTEGER NOT NULL,
                maximum INTEGER NOT NULL,
                fixed_fee INTEGER NOT NULL,
                fee_basis_points INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE payment_accounts (
                user_id TEXT NOT NULL PRIMARY KEY,
                has_verified_credentials INTEGER NOT NULL,
                has_accepted_terms INTEGER NOT NULL,
                is_eligible INTEGER NOT NULL,
                has_bank_account INTEGER NOT NULL,
                payment_method TEXT
            ) STRICT;
            CREATE TABLE payment_handles (
                value_key TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL
            ) STRICT;
            CREATE TABLE payment_balances (
                user_id TEXT NOT NULL,
                currency_code TEXT NOT NULL,
                balance INTEGER NOT NULL CHECK (balance >= 0),
                payment_limit INTEGER,
                daily_limit INTEGER,
                PRIMARY KEY (user_id, currency_code)
            ) STRICT;
            CREATE TABLE payments (
                identifier TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL CHECK (kind IN ('payment', 'request')),
                payer TEXT NOT NULL,
                payee TEXT NOT NULL,
                user_id TEXT NOT NULL,
                contact TEXT NOT NULL,
                contact_name TEXT NOT NULL,
                amount INTEGER NOT NULL,
                fee INTEGER NOT NULL,
                currency_code TEXT NOT NULL,
                note TEXT,
                status TEXT NOT NULL,
                created_at TEXT NOT NULL
            ) STRICT;
            CREATE INDEX payments_by_payer ON payments (payer, currency_code, created_at);
            CREATE INDEX payments_by_contact ON payments (user_id, contact, created_at);
            """
    )
}
