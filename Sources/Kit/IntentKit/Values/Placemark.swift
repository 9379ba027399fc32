/// A place (SiriKit's `CLPlacemark`, as far as a server needs it).
public struct Placemark: ParameterValue, Codable {
    /// What the user calls it, or its address.
    public var name: String
    /// Degrees north, from -90 to 90, once known.
    public var latitude: Double?
    /// Degrees east, from -180 to 180, once known.
    public var longitude: Double?

    public init(name: String, latitude: Double? = nil, longitude: Double? = nil) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
    }

    public static let typeName = "place"

    /// Reads an object with `name`, or a plain string; coordinates outside the globe are refused.
    public init?(json: JSONValue) {
        guard let name = json.string ?? json["name"]?.string else { return nil }
        self.init(name: name, latitude: json["latitude"]?.number, longitude: json["longitude"]?.number)
        if let latitude = self.latitude, !(-90...90).contains(latitude) { return nil }
        if let longitude = self.longitude, !(-180...180).contains(longitude) { return nil }
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "name": .string(self.name),
            "latitude": self.latitude.map(JSONValue.number),
            "longitude": self.longitude.map(JSONValue.number),
        ])
    }

    /// A place without a name and coordinates counts as missing.
    public var isMissing: Bool { self.name.isMissing && self.latitude == nil }

    public var words: String? { self.name }
}
