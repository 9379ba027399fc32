public import IntentKit

public struct INRideVehicle: ParameterValue, Codable {
    public var location: Placemark?
    public var registrationPlate: String?
    public var manufacturer: String?
    public var model: String?

    public init(
        location: Placemark? = nil,
        registrationPlate: String? = nil,
        manufacturer: String? = nil,
        model: String? = nil
    ) {
        self.location = location
        self.registrationPlate = registrationPlate
        self.manufacturer = manufacturer
        self.model = model
    }

    public static let typeName = "rideVehicle"

    public init?(json: JSONValue) {
        guard json.object != nil else { return nil }
        self.init(
            location: json["location"].flatMap(Placemark.init(json:)),
            registrationPlate: json["registrationPlate"]?.string,
            manufacturer: json["manufacturer"]?.string,
            model: json["model"]?.string
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "location": self.location?.json,
            "registrationPlate": self.registrationPlate?.json,
            "manufacturer": self.manufacturer?.json,
            "model": self.model?.json,
        ])
    }
}
