public import SiriKitIntents

/// A vehicle with its driver.
public struct RideVehicle: Hashable, Sendable, Codable {
    /// The service's identifier of it.
    public var identifier: String
    /// The identifier of the kind of ride that it is for.
    public var option: String
    public var registrationPlate: String
    public var manufacturer: String
    public var model: String
    public var driver: INRideDriver
    /// Its waiting position.
    var location: Coordinate

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
