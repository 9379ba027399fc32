import IntentKit
import SiriKitIntents

/// Payments and requests for them, as the app shows them (behaviour 59).
enum PaymentBook {
    /// One row: payer and payee, and the name under which the user knows the other.
    struct Entry: Sendable {
        var identifier: String
        var payer: String
        var payee: String
        var userID: String
        var contact: Contact
        var amount: Money
        var fee: Int64 = 0
        var note: String?
        var createdAt: OffsetDateTime
    }

    /// Moves the money and records the payment; a request that it settles is completed.
    ///
    /// - Returns: False when there are insufficient funds: nothing was changed.
    static func pay(_ entry: Entry, in store: any StoreTransaction) throws -> Bool {
        let code = JSONValue.string(entry.amount.currencyCode)
        let amount = JSONValue.integer(entry.amount.minorUnits)
        let paid = try store.execute(
            """
            UPDATE payment_balances SET balance = balance - ?1 - ?2
            WHERE user_id = ?3 AND currency_code = ?4 AND balance >= ?1 AND balance - ?1 >= ?2
            """,
            [amount, .integer(entry.fee), .string(entry.payer), code]
        )
        guard paid == 1 else { return false }
        try store.execute(
            """
            INSERT INTO payment_balances (user_id, currency_code, balance) VALUES (?, ?, ?)
            ON CONFLICT (user_id, currency_code) DO UPDATE SET balance = balance + excluded.balance
            """,
            [.string(entry.payee), code, amount]
        )
        try Self.add(entry, kind: "payment", status: .completed, in: store)
        try store.execute(
            """
            UPDATE payments SET status = 'completed' WHERE identifier = (
                SELECT identifier FROM payments
                WHERE kind = 'request' AND status = 'pending' AND payer = ? AND payee = ? AND currency_code = ?
                    AND amount = ?
                ORDER BY created_at, identifier LIMIT 1)
            """,
            [.string(entry.payer), .string(entry.payee), code, amount]
        )
        return true
    }

    /// Records a request to its payer.
    static func request(_ entry: Entry, in store: any StoreTransaction) throws {
        try Self.add(entry, kind: "request", status: .pending, in: store)
    }

    /// The amounts that a payee has requested from a payer and not been paid yet, oldest first.
    static func pendingAmounts(payer: String, payee: String, in store: any StoreTransaction) throws -> [Money] {
        let rows = try store.query(
            """
            SELECT amount, currency_code FROM payments
            WHERE kind = 'request' AND status = 'pending' AND payer = ? AND payee = ? ORDER BY created_at, identifier
            """,
            [.string(payer), .string(payee)]
        )
        return rows.compactMap { row in
            guard let amount = row["amount"]?.integer, let code = row["currency_code"]?.string else { return nil }
            return Money(minorUnits: amount, currencyCode: code)
        }
    }

    /// When the user last dealt with each contact.
    static func habits(of userID: String) -> AddressBook.Habits {
        AddressBook.habits(of: userID, table: "payments", contact: "contact", time: "created_at")
    }

    private static func add(
        _ entry: Entry,
        kind: String,
        status: INPaymentStatus,
        in store: any StoreTransaction
    ) throws {
        try store.execute(
            """
            INSERT INTO payments (identifier, kind, payer, payee, user_id, contact, contact_name, amount, fee,
                currency_code, note, status, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .string(entry.identifier), .string(kind), .string(entry.payer), .string(entry.payee),
                .string(entry.userID), .string(entry.contact.identifier), .string(entry.contact.displayName),
                .integer(entry.amount.minorUnits), .integer(entry.fee), .string(entry.amount.currencyCode),
                entry.note?.json ?? .null, status.json, entry.createdAt.json,
            ]
        )
    }
}
