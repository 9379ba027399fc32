package import Foundation
package import IntentEvents

extension Timestamp {
    /// The same point in time in Foundation's type.
    package var date: Date { Date(timeIntervalSince1970: Double(self.milliseconds) / 1_000) }

    /// The millisecond of a point in time in Foundation's type; the beginning of 1970 for earlier ones.
    init(date: Date) { self.init(milliseconds: Int64((max(0, date.timeIntervalSince1970) * 1_000).rounded())) }
}
