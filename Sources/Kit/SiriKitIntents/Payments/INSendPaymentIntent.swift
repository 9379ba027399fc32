public import IntentKit

/// A request to send money to a person.
///
/// Whether the funds are sufficient depends on the amount, so the payee is resolved again when the amount changes.
public struct INSendPaymentIntent: Intent {
    public static let title: LocalizedText? = ["en": "Send money", "de": "Geld senden"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The payment can be made.
        case ready
        case inProgress
        case success
        case failure
        /// The payment was not made; the user has to continue in the app.
        case failureRequiringAppLaunch
        case failureCredentialsUnverified
        case failurePaymentsAmountBelowMinimum
        case failurePaymentsAmountAboveMaximum
        case failurePaymentsCurrencyUnsupported
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

    public init() {}
}
