/// Why no payment can be made, named as the response codes that say so.
enum PaymentProblem: String, Sendable, Codable {
    case failure
    case failureRequiringAppLaunch
    case failureCredentialsUnverified
    case failurePaymentsAmountBelowMinimum
    case failurePaymentsAmountAboveMaximum
    case failurePaymentsCurrencyUnsupported
    case failureInsufficientFunds
    case failureNoBankAccount
    case failureNotEligible
    case failureTermsAndConditionsAcceptanceRequired
}
