package import Foundation
package import IntentEvents

extension Timestamp {
    /// The same point in time in Foundation's type.
    package var date: Date { Date(timeIntervalSince1970: Double(self.milliseconds) / 1_000) }
}
