public import IntentKit

/// A request to ask somebody for money.
public struct INRequestPaymentIntent: Intent {
    /// What people call it.
    public static let title: LocalizedText? = ["en": "Request money", "de": "Geld anfordern"]

    /// The codes with which a handler reports.
    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The request can be made.
        case ready
        /// The request is being made.
        case inProgress
        /// The request was made.
        case success
        /// The request was not made.
        case failure
        /// The request was not made; the user has to go on in the app.
        case failureRequiringAppLaunch
        /// The user's credentials are not verified.
        case failureCredentialsUnverified
        /// The amount is below the least that can be paid.
        case failurePaymentsAmountBelowMinimum
        /// The amount is above the most that can be paid.
        case failurePaymentsAmountAboveMaximum
        /// Nothing can be paid in that currency.
        case failurePaymentsCurrencyUnsupported
        /// The user has no bank account with the service.
        case failureNoBankAccount
        /// The user may not use the service.
        case failureNotEligible
        /// The user has to accept the terms and conditions first.
        case failureTermsAndConditionsAcceptanceRequired
    }

    /// The person whom the money is asked of.
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

    /// A request without any value.
    public init() {}
}
