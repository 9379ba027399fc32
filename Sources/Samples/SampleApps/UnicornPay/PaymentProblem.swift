/// The reasons why no payment can be made, named after their response codes.
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
