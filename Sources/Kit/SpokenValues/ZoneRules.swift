package import Foundation

/// The offsets from UTC that clocks show somewhere.
package struct ZoneRules: Sendable {
    /// Seconds east of UTC at an instant, in seconds since 1970.
    package let offset: @Sendable (Int) -> Int

    package init(offset: @escaping @Sendable (Int) -> Int) { self.offset = offset }

    /// A zone whose clocks never change.
    package init(secondsFromUTC: Int) { self.init { _ in secondsFromUTC } }

    /// The rules of the machine's zone database.
    package init(_ zone: TimeZone) {
        self.init { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
    }

    /// The zone with that IANA name, such as `Europe/Berlin`; nil for an unknown one.
    package init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.init(zone)
    }

    /// The instants at which clocks show a local time.
    enum Instants: Equatable {
        case one(Int)
        /// Clocks are put back: the time occurs twice, here in order.
        case repeated(Int, Int)
        /// Clocks are put forward over the time; the instant is that of the time moved forward by the gap.
        case skipped(Int)
    }

    /// The instants of a local time, in seconds since 1970-01-01T00:00 of local time.
    func instants(ofLocal local: Int) -> Instants {
        // No zone changes twice within two days.
        let before = self.offset(local - 86_400)
        let after = self.offset(local + 86_400)
        let isBefore = self.offset(local - before) == before
        let isAfter = self.offset(local - after) == after
        return switch (isBefore, isAfter) {
        case (true, true) where before != after: .repeated(local - before, local - after)
        case (true, _): .one(local - before)
        case (false, true): .one(local - after)
        case (false, false): .skipped(local - before)
        }
    }
}
