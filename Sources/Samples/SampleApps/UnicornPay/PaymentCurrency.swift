/// A currency that UnicornPay supports, with its bounds and fees in the smallest coin.
public struct PaymentCurrency: Hashable, Sendable, Codable {
    /// The currency's ISO 4217 code.
    public var currencyCode: String
    /// The smallest payment.
    public var minimum: Int64
    /// The largest payment.
    public var maximum: Int64
    /// The payer's fixed fee for each payment.
    public var fixedFee: Int64
    /// The payer's additional fee, in hundredths of a percent of the amount.
    public var feeBasisPoints: Int64

    public init(
        _ currencyCode: String,
        minimum: Int64,
        maximum: Int64,
        fixedFee: Int64 = 0,
        feeBasisPoints: Int64 = 0
    ) {
        self.currencyCode = currencyCode
        self.minimum = minimum
        self.maximum = maximum
        self.fixedFee = fixedFee
        self.feeBasisPoints = feeBasisPoints
    }

    /// The payer's fee for a payment of this amount: the share is rounded up to a whole coin.
    public func fee(for amount: Int64) -> Int64 {
        let share = (Int128(amount) * Int128(self.feeBasisPoints) + 9_999) / 10_000
        return Int64(clamping: Int128(self.fixedFee) + share)
    }
}
