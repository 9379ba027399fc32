public import IntentKit

/// A request to ask a person for money.
public struct INRequestPaymentIntent: Intent {
    public static let title: LocalizedText? = ["en": "Request money", "de": "Geld anfordern"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The request can be made.
        case ready
        case inProgress
        case success
        case failure
        /// The request was not made; the user has to continue in the app.
        case failureRequiringAppLaunch
        case failureCredentialsUnverified
        case failurePaymentsAmountBelowMinimum
        case failurePaymentsAmountAboveMaximum
        case failurePaymentsCurrencyUnsupported
        /// The user has no bank account with the service.
        case failureNoBankAccount
        /// The user may not use the service.
        case failureNotEligible
        /// The user has to accept the terms and conditions first.
        case failureTermsAndConditionsAcceptanceRequired
    }

    /// The person who is asked for the money.
    @Parameter(
        title: ["en": "payer", "de": "Zahler"],
        prompt: ["en": "Who should pay you?", "de": "Von wem möchtest du Geld anfordern?"]
    )
    public var payer: INPerson?
    /// How much, in which currency.
    @Parameter(
        title: ["en": "amount", "de": "Betrag"],
        prompt: ["en": "How much do you want to request?", "de": "Wie viel möchtest du anfordern?"]
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
