public import SiriKitIntents

/// A user's account with UnicornPay.
public struct PaymentAccount: Hashable, Sendable, Codable {
    /// Whose account it is.
    public var userID: String
    /// Whether it is known that the user is who they say.
    public var hasVerifiedCredentials: Bool
    /// Whether the user has accepted the terms and conditions.
    public var hasAcceptedTerms: Bool
    /// Whether the user may use the service.
    public var isEligible: Bool
    /// Whether there is a bank account that money can come from and go to.
    public var hasBankAccount: Bool
    /// What payments come from.
    public var paymentMethod: INPaymentMethod?

    /// Describes an account, by default one with which nothing is wrong.
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

    /// What keeps the user from paying and asking for money.
    var problem: PaymentProblem? {
        if !self.isEligible { return .failureNotEligible }
        if !self.hasVerifiedCredentials { return .failureCredentialsUnverified }
        if !self.hasAcceptedTerms { return .failureTermsAndConditionsAcceptanceRequired }
        return self.hasBankAccount ? nil : .failureNoBankAccount
    }
}
