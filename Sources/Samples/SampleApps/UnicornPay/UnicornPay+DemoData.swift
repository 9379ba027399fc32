public import IntentKit
import SiriKitIntents

extension UnicornPay {
    /// Opens accounts for the unicorns of the stories and for the user: 250 euros and 100 dollars each.
    ///
    /// Payments are made in euros and dollars; a payment in dollars has a fee. Some accounts have a problem: see
    /// `demoAccounts`. Celestra has requested 12.50 euros from the user. When it runs again, it resets the user's
    /// account to this state; payments stay recorded.
    /// - Throws: What the store throws.
    public static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try Self.offer(PaymentCurrency("EUR", minimum: 100, maximum: 500_000), in: store)
        try Self.offer(
            PaymentCurrency("USD", minimum: 100, maximum: 500_000, fixedFee: 25, feeBasisPoints: 50),
            in: store
        )
        for account in Self.demoAccounts where account.userID != userID {
            guard try Self.account(of: account.userID, in: store) == nil else { continue }
            try Self.openDemo(account, in: store)
        }
        // Ponyboy is the one without an account.
        guard userID != "ponyboy" else { return }
        let own = Self.demoAccounts.first { $0.userID == userID } ?? PaymentAccount(of: userID)
        try Self.openDemo(own, in: store)
        guard userID != "celestra" else { return }
        let identifier = JSONValue.string("demo-request-\(userID)")
        try store.execute("DELETE FROM payments WHERE identifier = ?", [identifier])
        try store.execute(
            """
            INSERT INTO payments (identifier, kind, payer, payee, user_id, contact, contact_name, amount, fee,
                currency_code, note, status, created_at)
            VALUES (?1, 'request', ?2, 'celestra', 'celestra', ?2, ?2, 1250, 0, 'EUR', 'lunch', 'pending',
                '2026-11-20T12:00:00.000Z')
            """,
            [identifier, .string(userID)]
        )
    }

    /// The accounts of the stories: of unicorns in everybody's address book, and of four who cannot pay.
    static let demoAccounts = [
        PaymentAccount(of: "sparkle"), PaymentAccount(of: "celestra"), PaymentAccount(of: "buttercup"),
        PaymentAccount(of: "jeff.hoof"), PaymentAccount(of: "jeff.mane"), PaymentAccount(of: "diana"),
        PaymentAccount(of: "scott"),
        PaymentAccount(of: "stardust", hasVerifiedCredentials: false),
        PaymentAccount(of: "moonbeam", hasAcceptedTerms: false),
        PaymentAccount(of: "dapple", isEligible: false),
        PaymentAccount(of: "clover", hasBankAccount: false),
    ]

    private static func openDemo(_ account: PaymentAccount, in store: any StoreTransaction) throws {
        var account = account
        account.paymentMethod = INPaymentMethod(type: .checking, name: "Meadow Bank", identificationHint: "4711")
        try Self.open(account, handles: ["\(account.userID)@unicorn.example"], in: store)
        let euros = Money(minorUnits: 25_000, currencyCode: "EUR")
        let dollars = Money(minorUnits: 10_000, currencyCode: "USD")
        try Self.setBalance(euros, of: account.userID, paymentLimit: 100_000, dailyLimit: 200_000, in: store)
        try Self.setBalance(dollars, of: account.userID, in: store)
    }
}
