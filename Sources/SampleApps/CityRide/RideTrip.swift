import Foundation
import IntentKit

/// A ride that could be asked for: from where, to where, for when, and how many people.
struct RideTrip: Hashable, Sendable, Codable {
    /// Streets are longer than the crow flies.
    static let detour = 1.3

    /// Where it begins.
    var pickup: Placemark
    /// Where it ends.
    var dropOff: Placemark
    /// How many people ride.
    var partySize = 1
    /// When the vehicle is to be there; nil for as soon as possible.
    var pickupDate: Date?

    /// The length of the way; nil while one of the places is only a name.
    var kilometers: Double? {
        guard let start = self.pickup.coordinate, let end = self.dropOff.coordinate else { return nil }
        return start.kilometers(to: end) * Self.detour
    }
}
