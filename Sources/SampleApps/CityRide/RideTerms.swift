/// What holds for all rides of the service.
public struct RideTerms: Hashable, Sendable, Codable {
    /// Whether rides can be asked for at all.
    public var isAvailable = true
    /// The currency of all fares.
    public var currencyCode = "EUR"
    /// Whether a ride can be paid in cash, for those who have nothing else on file.
    public var acceptsCash = true
    /// Whether the user has to say something about the last ride before the next.
    public var demandsFeedback = false
    /// How far ahead rides can be scheduled, in seconds.
    public var longestNotice = 7 * 86_400.0
    /// How long a ride can be cancelled for nothing after it was asked for, in seconds.
    public var freeCancellation = 120.0
    /// What it costs to cancel later, in hundredths of the currency.
    public var cancellationFee = 500
    /// How long a price that was shown is honoured, in seconds.
    public var priceGuarantee = 120.0
    /// How much faster vehicles are than in the world: 1, and more to see a ride through in a moment.
    public var pace = 1.0

    /// The terms to begin with.
    public init() {}
}
