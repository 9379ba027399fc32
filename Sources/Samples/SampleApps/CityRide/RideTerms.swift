/// The terms of all rides of the service.
public struct RideTerms: Hashable, Sendable, Codable {
    /// Whether rides can be requested at all.
    public var isAvailable = true
    /// The currency of all fares.
    public var currencyCode = "EUR"
    /// Whether a ride can be paid in cash, for those who have nothing else on file.
    public var acceptsCash = true
    /// Whether the user must give feedback on the last ride before the next.
    public var demandsFeedback = false
    /// The longest time ahead for which rides can be scheduled, in seconds.
    public var longestNotice = 7 * 86_400.0
    /// The time after the request during which a ride can be cancelled free of charge, in seconds.
    public var freeCancellation = 120.0
    /// The fee for cancelling later, in hundredths of the currency.
    public var cancellationFee = 500
    /// The time for which a shown price is guaranteed, in seconds.
    public var priceGuarantee = 120.0
    /// How much faster vehicles are than in reality: 1, or more to watch a whole ride in a moment.
    public var pace = 1.0

    public init() {}
}
