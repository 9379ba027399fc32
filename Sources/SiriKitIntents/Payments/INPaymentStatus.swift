public import IntentKit

/// How far a payment is.
public enum INPaymentStatus: String, EnumerationValue, Codable {
    /// Not known.
    case unknown
    /// Not paid yet.
    case pending
    /// Paid.
    case completed
    /// Taken back before it was paid.
    case canceled
    /// Could not be paid.
    case failed
    /// Due and not paid.
    case unpaid
}
