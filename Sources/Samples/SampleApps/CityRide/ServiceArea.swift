public import IntentKit

/// An area in which rides begin and end: a polygon.
public struct ServiceArea: Hashable, Sendable, Codable {
    public var name: String
    /// Its corners, in order; the last one is joined to the first.
    var corners: [Coordinate]

    public init(_ name: String, corners: [(latitude: Double, longitude: Double)]) {
        self.name = name
        self.corners = corners.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }

    /// Whether a point is in it: a ray from there crosses its border an odd number of times.
    func contains(_ point: Coordinate) -> Bool {
        var isInside = false
        for (index, corner) in self.corners.enumerated() {
            let next = self.corners[(index + 1) % self.corners.count]
            guard (corner.latitude > point.latitude) != (next.latitude > point.latitude) else { continue }
            let part = (point.latitude - corner.latitude) / (next.latitude - corner.latitude)
            if point.longitude < corner.longitude + part * (next.longitude - corner.longitude) { isInside.toggle() }
        }
        return isInside
    }

    /// Whether a place is known to be in it.
    public func contains(_ place: Placemark) -> Bool { place.coordinate.map(self.contains) ?? false }
}
