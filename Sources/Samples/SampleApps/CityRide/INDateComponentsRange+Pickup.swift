import Foundation
import IntentKit

extension INDateComponentsRange {
    /// The pickup time: the beginning, or the end where there is none; nil for a day without a time.
    var pickupDate: Date? { (self.start ?? self.end).flatMap(OffsetDateTime.init)?.date }
}
