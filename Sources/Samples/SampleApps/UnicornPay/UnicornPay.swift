public import IntentKit
import SiriKitIntents

/// UnicornPay's data: accounts, balances, and the supported currencies.
///
/// The functions run inside a store transaction, like those of ``AddressBook``.
public enum UnicornPay {
    public static let name = "UnicornPay"

    /// Opens an account, or changes the user's existing one; its holder is known by these addresses.
    ///
    /// - Throws: What the store throws.
    public static func open(
        _ account: PaymentAccount,
        handles: [String] = [],
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            """
            INSERT OR REPLACE INTO payment_accounts
                (user_id, has_verified_credentials, has_accepted_terms, is_eligible, has_bank_account, payment_method)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .string(account.userID), .bool(account.hasVerifiedCredentials), .bool(account.hasAcceptedTerms),
                .bool(account.isEligible), .bool(account.hasBankAccount), account.paymentMethod?.json ?? .null,
            ]
        )
        for handle in handles {
            try store.execute(
                "INSERT OR REPLACE INTO payment_handles (value_key, user_id) VALUES (?, ?)",
                [.string(handle.matchingKey), .string(account.userID)]
            )
        }
    }

    /// Closes a user's account; its balance stays, in case it is opened again.
    ///
    /// - Throws: What the store throws.
    public static func closeAccount(of userID: String, in store: any StoreTransaction) throws {
        try store.execute("DELETE FROM payment_accounts WHERE user_id = ?", [.string(userID)])
        try store.execute("DELETE FROM payment_handles WHERE user_id = ?", [.string(userID)])
    }

    /// The account of a user, if there is one.
    ///
    /// - Throws: What the store throws.
    public static func account(of userID: String, in store: any StoreTransaction) throws -> PaymentAccount? {
        let rows = try store.query("SELECT * FROM payment_accounts WHERE user_id = ?", [.string(userID)])
        return try rows.first.map { row in
            PaymentAccount(
                of: userID,
                hasVerifiedCredentials: row["has_verified_credentials"] != 0,
                hasAcceptedTerms: row["has_accepted_terms"] != 0,
                isEligible: row["is_eligible"] != 0,
                hasBankAccount: row["has_bank_account"] != 0,
                paymentMethod: try row["payment_method"]?.string
                    .flatMap { INPaymentMethod(json: try JSONValue(parsing: $0)) }
            )
        }
    }

    /// Looks the addresses up one after the other, and returns the first account that is known by one of them.
    ///
    /// - Throws: What the store throws.
    public static func account(
        withHandles handles: [INPersonHandle],
        in store: any StoreTransaction
    ) throws -> PaymentAccount? {
        for key in handles.compactMap({ $0.value?.matchingKey }) {
            let rows = try store.query("SELECT user_id FROM payment_handles WHERE value_key = ?", [.string(key)])
            guard let userID = rows.first?["user_id"]?.string else { continue }
            if let account = try Self.account(of: userID, in: store) { return account }
        }
        return nil
    }

    /// Sets a user's balance in a currency, and the payment limits.
    ///
    /// - Throws: What the store throws; a balance is never negative.
    public static func setBalance(
        _ balance: Money,
        of userID: String,
        paymentLimit: Int64? = nil,
        dailyLimit: Int64? = nil,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            """
            INSERT OR REPLACE INTO payment_balances (user_id, currency_code, balance, payment_limit, daily_limit)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .string(userID), .string(balance.currencyCode), .integer(balance.minorUnits),
                paymentLimit.map(JSONValue.integer) ?? .null, dailyLimit.map(JSONValue.integer) ?? .null,
            ]
        )
    }

    /// A user's balance in a currency.
    ///
    /// - Throws: What the store throws.
    public static func balance(
        of userID: String,
        in currencyCode: String,
        _ store: any StoreTransaction
    ) throws -> Money {
        let rows = try store.query(
            "SELECT balance FROM payment_balances WHERE user_id = ? AND currency_code = ?",
            [.string(userID), .string(currencyCode)]
        )
        return Money(minorUnits: rows.first?["balance"]?.integer ?? 0, currencyCode: currencyCode)
    }

    /// Supports a currency from now on.
    ///
    /// - Throws: What the store throws.
    public static func offer(_ currency: PaymentCurrency, in store: any StoreTransaction) throws {
        try store.execute(
            """
            INSERT OR REPLACE INTO payment_currencies (currency_code, minimum, maximum, fixed_fee, fee_basis_points)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .string(currency.currencyCode), .integer(currency.minimum), .integer(currency.maximum),
                .integer(currency.fixedFee), .integer(currency.feeBasisPoints),
            ]
        )
    }

    /// Supports a currency no longer.
    ///
    /// - Throws: What the store throws.
    public static func withdraw(_ currencyCode: String, in store: any StoreTransaction) throws {
        try store.execute("DELETE FROM payment_currencies WHERE currency_code = ?", [.string(currencyCode)])
    }
}
