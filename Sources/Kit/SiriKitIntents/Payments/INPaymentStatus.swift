public import IntentKit

public enum INPaymentStatus: String, EnumerationValue, Codable {
    case unknown
    /// Not paid yet.
    case pending
    /// Paid.
    case completed
    /// Cancelled before it was paid.
    case canceled
    case failed
    /// Due and not paid.
    case unpaid
}
