package import Foundation
package import IntentEvents

extension Timestamp {
    /// The same point in time as Foundation has it.
    package var date: Date { Date(timeIntervalSince1970: Double(self.milliseconds) / 1_000) }
}
