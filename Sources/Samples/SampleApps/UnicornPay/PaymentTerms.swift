/// The limits that apply to one payment, from one read of the stores.
struct PaymentTerms: Sendable, Codable {
    var account: PaymentAccount?
    /// The currency, if UnicornPay supports it.
    var currency: PaymentCurrency?
    /// The user's balance in that currency, in the smallest coin.
    var balance: Int64 = 0
    /// The most that the user may pay at once.
    var paymentLimit: Int64?
    /// The most that the user may pay in a day (UTC).
    var dailyLimit: Int64?
    /// The amount that the user has paid today, without fees.
    var paidToday: Int64 = 0

    func problem(requesting amount: Int64) -> PaymentProblem? {
        guard let currency else { return .failurePaymentsCurrencyUnsupported }
        if amount < currency.minimum { return .failurePaymentsAmountBelowMinimum }
        return amount > currency.maximum ? .failurePaymentsAmountAboveMaximum : nil
    }

    /// The problem with paying this amount, apart from the funds.
    func problem(paying amount: Int64) -> PaymentProblem? {
        if let problem = self.problem(requesting: amount) { return problem }
        if let paymentLimit, amount > paymentLimit { return .failurePaymentsAmountAboveMaximum }
        if let dailyLimit, amount > dailyLimit - self.paidToday { return .failurePaymentsAmountAboveMaximum }
        return nil
    }

    func fee(for amount: Int64) -> Int64 { self.currency?.fee(for: amount) ?? 0 }

    /// The balance after a payment of this amount; negative when there are insufficient funds.
    func balance(afterPaying amount: Int64) -> Int64 {
        Int64(clamping: Int128(self.balance) - Int128(amount) - Int128(self.fee(for: amount)))
    }
}
