public import IntentKit

/// A request to send money to somebody.
///
/// Whether the funds are sufficient depends on the amount, so the payee is resolved again when the amount changes.
public struct INSendPaymentIntent: Intent {
    /// The title for people.
    public static let title: LocalizedText? = ["en": "Send money", "de": "Geld senden"]

    /// The codes that a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The payment can be made.
        case ready
        /// The payment is being made.
        case inProgress
        /// The payment was made.
        case success
        /// The payment was not made.
        case failure
        /// The payment was not made; the user has to continue in the app.
        case failureRequiringAppLaunch
        /// The user's credentials are not verified.
        case failureCredentialsUnverified
        /// The amount is below the minimum.
        case failurePaymentsAmountBelowMinimum
        /// The amount is above the maximum.
        case failurePaymentsAmountAboveMaximum
        /// The currency is not supported.
        case failurePaymentsCurrencyUnsupported
        /// The user has insufficient funds.
        case failureInsufficientFunds
        /// The user has no bank account with the service.
        case failureNoBankAccount
        /// The user may not use the service.
        case failureNotEligible
        /// The user has to accept the terms and conditions first.
        case failureTermsAndConditionsAcceptanceRequired
    }

    /// The person whom the money goes to.
    @Parameter(
        title: ["en": "recipient", "de": "Empfänger"],
        prompt: ["en": "Who should get the money?", "de": "Wer soll das Geld bekommen?"],
        dependsOn: [\Self.$currencyAmount]
    )
    public var payee: INPerson?
    /// How much, in which currency.
    @Parameter(
        title: ["en": "amount", "de": "Betrag"],
        prompt: ["en": "How much do you want to send?", "de": "Wie viel möchtest du senden?"]
    )
    public var currencyAmount: INCurrencyAmount?
    /// What it is for.
    @Parameter(
        title: ["en": "note", "de": "Notiz"],
        prompt: ["en": "What is it for?", "de": "Wofür ist es?"]
    )
    public var note: String?

    /// A request without any value.
    public init() {}
}
