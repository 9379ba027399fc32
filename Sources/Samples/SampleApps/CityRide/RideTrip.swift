import Foundation
import IntentKit

/// A ride that could be requested: from where, to where, for when, and for how many people.
struct RideTrip: Hashable, Sendable, Codable {
    /// The ratio of the route by road to the straight line.
    static let detour = 1.3

    var pickup: Placemark
    var dropOff: Placemark
    var partySize = 1
    /// The pickup time; nil for as soon as possible.
    var pickupDate: Date?

    /// The length of the route; nil while one of the places is only a name.
    var kilometers: Double? {
        guard let start = self.pickup.coordinate, let end = self.dropOff.coordinate else { return nil }
        return start.kilometers(to: end) * Self.detour
    }
}
