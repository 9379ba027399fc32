public import SiriKitIntents

/// A user's account with UnicornPay.
public struct PaymentAccount: Hashable, Sendable, Codable {
    public var userID: String
    /// Whether the user's identity is verified.
    public var hasVerifiedCredentials: Bool
    /// Whether the user has accepted the terms and conditions.
    public var hasAcceptedTerms: Bool
    /// Whether the user may use the service.
    public var isEligible: Bool
    /// Whether there is a bank account for money to come from and go to.
    public var hasBankAccount: Bool
    public var paymentMethod: INPaymentMethod?

    /// Creates an account, by default without any problem.
    public init(
        of userID: String,
        hasVerifiedCredentials: Bool = true,
        hasAcceptedTerms: Bool = true,
        isEligible: Bool = true,
        hasBankAccount: Bool = true,
        paymentMethod: INPaymentMethod? = nil
    ) {
        self.userID = userID
        self.hasVerifiedCredentials = hasVerifiedCredentials
        self.hasAcceptedTerms = hasAcceptedTerms
        self.isEligible = isEligible
        self.hasBankAccount = hasBankAccount
        self.paymentMethod = paymentMethod
    }

    /// The reason why the user cannot pay or request money.
    var problem: PaymentProblem? {
        if !self.isEligible { return .failureNotEligible }
        if !self.hasVerifiedCredentials { return .failureCredentialsUnverified }
        if !self.hasAcceptedTerms { return .failureTermsAndConditionsAcceptanceRequired }
        return self.hasBankAccount ? nil : .failureNoBankAccount
    }
}
