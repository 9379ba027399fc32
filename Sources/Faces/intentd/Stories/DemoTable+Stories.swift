import IntentCommands

extension DemoTable {
    /// The tables, in the order in which they are shown.
    static let all = [messages, payments, balances, calls]

    private static let messages = DemoTable(
        title: "messages that were sent",
        columns: ["from", "to", "content", "sent"],
        sql: """
            SELECT user_id AS c1, recipient_name AS c2, content AS c3, sent_at AS c4 FROM messages
            WHERE NOT is_incoming ORDER BY sent_at
            """
    )

    private static let payments = DemoTable(
        title: "payments and requests",
        columns: ["kind", "payer", "payee", "cents", "fee", "currency", "note", "status"],
        sql: """
            SELECT kind AS c1, payer AS c2, payee AS c3, CAST(amount AS TEXT) AS c4, CAST(fee AS TEXT) AS c5,
                currency_code AS c6, note AS c7, status AS c8
            FROM payments ORDER BY created_at, identifier
            """
    )

    private static let balances = DemoTable(
        title: "balances that payments have changed",
        columns: ["user", "cents", "currency"],
        sql: """
            SELECT user_id AS c1, CAST(balance AS TEXT) AS c2, currency_code AS c3 FROM payment_balances b
            WHERE EXISTS (SELECT 1 FROM payments p WHERE p.kind = 'payment' AND p.currency_code = b.currency_code
                AND (p.payer = b.user_id OR p.payee = b.user_id))
            ORDER BY c1, c3
            """
    )

    private static let calls = DemoTable(
        title: "calls that were handed to the app",
        columns: ["from", "to", "kind", "started"],
        sql: """
            SELECT user_id AS c1, display_name AS c2, capability AS c3, started_at AS c4 FROM calls
            WHERE call_type = 'outgoing' AND identifier NOT LIKE 'call-%' ORDER BY started_at
            """
    )

    /// The messages that the Hairdressers app stored.
    static let hairdresserMessages = DemoTable(
        title: "messages to hairdressers",
        columns: ["from", "to", "content", "sent"],
        sql: """
            SELECT user_id AS c1, hairdresser AS c2, content AS c3, created_at AS c4 FROM hairdresser_messages
            ORDER BY created_at
            """
    )
}
