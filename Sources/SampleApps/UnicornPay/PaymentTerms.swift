import IntentKit

/// What one payment is measured against, as one read of the stores finds it.
struct PaymentTerms: Sendable, Codable {
    /// The user's account.
    var account: PaymentAccount?
    /// The currency, if UnicornPay pays in it.
    var currency: PaymentCurrency?
    /// What the user has in that currency, in the smallest coin.
    var balance: Int64 = 0
    /// The most that the user may pay at once.
    var paymentLimit: Int64?
    /// The most that the user may pay in a day (UTC).
    var dailyLimit: Int64?
    /// What the user has paid today, fees not counted.
    var paidToday: Int64 = 0

    /// What is wrong with asking for so much.
    func problem(requesting amount: Int64) -> PaymentProblem? {
        guard let currency else { return .failurePaymentsCurrencyUnsupported }
        if amount < currency.minimum { return .failurePaymentsAmountBelowMinimum }
        return amount > currency.maximum ? .failurePaymentsAmountAboveMaximum : nil
    }

    /// What is wrong with paying so much, funds aside.
    func problem(paying amount: Int64) -> PaymentProblem? {
        if let problem = self.problem(requesting: amount) { return problem }
        if let paymentLimit, amount > paymentLimit { return .failurePaymentsAmountAboveMaximum }
        if let dailyLimit, amount > dailyLimit - self.paidToday { return .failurePaymentsAmountAboveMaximum }
        return nil
    }

    /// What a payment of so much costs.
    func fee(for amount: Int64) -> Int64 { self.currency?.fee(for: amount) ?? 0 }

    /// What is left after a payment of so much; negative when the funds do not suffice.
    func balance(afterPaying amount: Int64) -> Int64 {
        Int64(clamping: Int128(self.balance) - Int128(amount) - Int128(self.fee(for: amount)))
    }
}
