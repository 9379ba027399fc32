import Foundation
import IntentKit

extension UnicornPay {
    /// The limits that apply to a payment of a user in that currency.
    static func terms(
        for userID: String,
        in currencyCode: String?,
        at time: Date,
        _ store: any StoreTransaction
    ) throws -> PaymentTerms {
        var terms = PaymentTerms()
        terms.account = try Self.account(of: userID, in: store)
        guard let currencyCode else { return terms }
        let code = JSONValue.string(currencyCode)
        terms.currency = try store.query("SELECT * FROM payment_currencies WHERE currency_code = ?", [code])
            .first
            .map { row in
                PaymentCurrency(
                    currencyCode,
                    minimum: row["minimum"]?.integer ?? 0,
                    maximum: row["maximum"]?.integer ?? 0,
                    fixedFee: row["fixed_fee"]?.integer ?? 0,
                    feeBasisPoints: row["fee_basis_points"]?.integer ?? 0
                )
            }
        let balance = try store.query(
            "SELECT * FROM payment_balances WHERE user_id = ? AND currency_code = ?",
            [.string(userID), code]
        )
        terms.balance = balance.first?["balance"]?.integer ?? 0
        terms.paymentLimit = balance.first?["payment_limit"]?.integer
        terms.dailyLimit = balance.first?["daily_limit"]?.integer
        let today = OffsetDateTime(time).text.prefix(10)
        let paid = try store.query(
            """
            SELECT sum(amount) AS total FROM payments
            WHERE payer = ? AND currency_code = ? AND kind = 'payment' AND created_at >= ?
            """,
            [.string(userID), code, .string(String(today))]
        )
        terms.paidToday = paid.first?["total"]?.integer ?? 0
        return terms
    }
}
