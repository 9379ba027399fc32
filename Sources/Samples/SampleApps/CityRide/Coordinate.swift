import Foundation
import IntentKit

/// A point on the globe.
struct Coordinate: Hashable, Sendable, Codable {
    /// Degrees north.
    var latitude: Double
    /// Degrees east.
    var longitude: Double

    /// The distance in kilometres, as the crow flies (haversine).
    func kilometers(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let north = sin((other.latitude - self.latitude) * radians / 2)
        let east = sin((other.longitude - self.longitude) * radians / 2)
        let angle =
            north * north + cos(self.latitude * radians) * cos(other.latitude * radians) * east * east
        return 2 * 6_371.0 * asin(min(1, angle.squareRoot()))
    }

    /// The point at a fraction of the way to another, to about ten metres.
    func point(towards other: Coordinate, part: Double) -> Coordinate {
        func between(_ from: Double, _ to: Double) -> Double {
            ((from + (to - from) * part) * 10_000).rounded() / 10_000
        }
        return Coordinate(
            latitude: between(self.latitude, other.latitude),
            longitude: between(self.longitude, other.longitude)
        )
    }
}

extension Placemark {
    /// Its coordinates, if known.
    var coordinate: Coordinate? {
        guard let latitude = self.latitude, let longitude = self.longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
