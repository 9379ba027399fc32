public import IntentKit

/// The state of a payment.
public enum INPaymentStatus: String, EnumerationValue, Codable {
    /// Not known.
    case unknown
    /// Not paid yet.
    case pending
    /// Paid.
    case completed
    /// Cancelled before it was paid.
    case canceled
    /// Could not be paid.
    case failed
    /// Due and not paid.
    case unpaid
}
