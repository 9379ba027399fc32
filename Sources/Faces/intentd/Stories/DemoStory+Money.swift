import IntentCommands
import IntentKit

extension DemoStory {
    /// UnicornPay's stories: the device must be unlocked, and the user is asked each time.
    static let payments = [swissFrancs, whatCelestraAskedFor, tooMuch]

    private static let swissFrancs = DemoStory(
        title:
            "Swiss francs where only euros or dollars are accepted; then the user confirms payee, amount, fee and balance",
        user: "diana",
        words: "Pay Celestra 20 francs for the hay.",
        intent: IntentSnapshot(
            name: "INSendPaymentIntent",
            parameters: [
                "payee": "Celestra", "note": "hay", "currencyAmount": ["amount": "20", "currencyCode": "CHF"],
            ]
        ),
        replies: [
            Reply(
                words: "Dollars, then.",
                data: ["action": "accept", "value": ["amount": "20", "currencyCode": "USD"]]
            ),
            yes,
        ],
        isUnlocked: true
    )

    private static let whatCelestraAskedFor = DemoStory(
        title: "No amount given: the amount that the payee has requested is offered, and the payment settles it",
        user: "scott",
        words: "Pay Celestra.",
        intent: IntentSnapshot(name: "INSendPaymentIntent", parameters: ["payee": "Celestra"]),
        replies: [yes, yes],
        isUnlocked: true
    )

    private static let tooMuch = DemoStory(
        title: "The balance covers the amount, but not the fee",
        user: "ada",
        words: "Pay Buttercup 99 dollars and 90 cents.",
        intent: IntentSnapshot(
            name: "INSendPaymentIntent",
            parameters: ["payee": "Buttercup", "currencyAmount": ["amount": "99.90", "currencyCode": "USD"]]
        ),
        replies: [],
        isUnlocked: true
    )
}
