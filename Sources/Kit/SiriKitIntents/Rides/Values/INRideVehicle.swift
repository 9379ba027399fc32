public import IntentKit

/// The vehicle of a ride.
public struct INRideVehicle: ParameterValue, Codable {
    /// Where it is.
    public var location: Placemark?
    /// Its plate.
    public var registrationPlate: String?
    /// Who made it.
    public var manufacturer: String?
    /// What it is called.
    public var model: String?

    /// Describes it by what is known.
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

    /// `rideVehicle`.
    public static let typeName = "rideVehicle"

    /// Reads an object.
    public init?(json: JSONValue) {
        guard json.object != nil else { return nil }
        self.init(
            location: json["location"].flatMap(Placemark.init(json:)),
            registrationPlate: json["registrationPlate"]?.string,
            manufacturer: json["manufacturer"]?.string,
            model: json["model"]?.string
        )
    }

    /// An object with what is known.
    public var json: JSONValue {
        .members([
            "location": self.location?.json,
            "registrationPlate": self.registrationPlate?.json,
            "manufacturer": self.manufacturer?.json,
            "model": self.model?.json,
        ])
    }
}
