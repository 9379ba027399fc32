public import SiriKitIntents

/// A vehicle with the one who drives it.
public struct RideVehicle: Hashable, Sendable, Codable {
    /// The service's identifier of it.
    public var identifier: String
    /// The identifier of the kind of ride that it is for.
    public var option: String
    /// Its plate.
    public var registrationPlate: String
    /// Who made it.
    public var manufacturer: String
    /// What it is called.
    public var model: String
    /// Who drives it.
    public var driver: INRideDriver
    /// Where it waits.
    var location: Coordinate

    /// Describes a vehicle.
    public init(
        _ identifier: String,
        option: String,
        registrationPlate: String,
        manufacturer: String,
        model: String,
        driver: INRideDriver,
        latitude: Double,
        longitude: Double
    ) {
        self.identifier = identifier
        self.option = option
        self.registrationPlate = registrationPlate
        self.manufacturer = manufacturer
        self.model = model
        self.driver = driver
        self.location = Coordinate(latitude: latitude, longitude: longitude)
    }
}
