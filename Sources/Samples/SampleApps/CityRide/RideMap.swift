import IntentKit

/// The route of a ride as a small map: pickup, drop-off and vehicle, to scale and with north at the top.
struct RideMap {
    /// The points that are known, each with its class.
    private let points: [(name: HTML, latitude: Double, longitude: Double)]
    private let size: ViewSize
    private static let margin = 24.0

    init(pickup: Placemark?, dropOff: Placemark?, vehicle: Placemark?, size: ViewSize) {
        let places: [(HTML, Placemark?)] = [("pickup", pickup), ("drop-off", dropOff), ("vehicle", vehicle)]
        self.points = places.compactMap { name, place in
            guard let latitude = place?.latitude, let longitude = place?.longitude else { return nil }
            return (name, latitude, longitude)
        }
        self.size = size
    }

    /// The picture; nil when there is no point to draw, or no room.
    var svg: HTML? {
        guard !self.points.isEmpty, !self.size.isEmpty else { return nil }
        let positions = self.positions
        let ends = zip(self.points, positions).filter { $0.0.name != "vehicle" }.map(\.1)
        let way = ends.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        let marks = zip(self.points, positions)
            .map { point, position -> HTML in
                "<circle class=\"\(point.name)\" cx=\"\(position.x)\" cy=\"\(position.y)\" r=\"6\"/>"
            }
        return """
            <svg viewBox="0 0 \(self.size.width) \(self.size.height)"><polyline class="way" points="\(way)"/>\(marks)</svg>
            """
    }

    /// The positions of the points in the picture.
    private var positions: [(x: Int, y: Int)] {
        let north = self.points.map(\.latitude).max() ?? 0
        let south = self.points.map(\.latitude).min() ?? 0
        let west = self.points.map(\.longitude).min() ?? 0
        let east = self.points.map(\.longitude).max() ?? 0
        // A degree east is shorter than a degree north; a city is small enough for one factor.
        let shrink = max(0.01, Self.cosine(degrees: (north + south) / 2))
        let width = Double(self.size.width) - 2 * Self.margin
        let height = Double(self.size.height) - 2 * Self.margin
        let scale = min(
            width / max((east - west) * shrink, 1e-6),
            height / max(north - south, 1e-6)
        )
        return self.points.map { point in
            let x =
                Self.margin + (width - (east - west) * shrink * scale) / 2 + (point.longitude - west) * shrink * scale
            let y = Self.margin + (height - (north - south) * scale) / 2 + (north - point.latitude) * scale
            return (Int(x.rounded()), Int(y.rounded()))
        }
    }

    /// The cosine, by its series: exact to a pixel, and the same on every machine.
    private static func cosine(degrees: Double) -> Double {
        let square = (degrees * .pi / 180) * (degrees * .pi / 180)
        return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
    }
}
