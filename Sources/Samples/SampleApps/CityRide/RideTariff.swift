/// A kind of ride with its fares.
public struct RideTariff: Hashable, Sendable, Codable {
    /// The service's identifier of it.
    public var identifier: String
    public var name: String
    public var seats: Int
    /// The base price of every ride, in hundredths of the currency.
    public var base: Int
    /// The additional price of a kilometre.
    public var perKilometer: Int
    /// The minimum price of a ride.
    public var minimum: Int
    /// The speed of the vehicles in the city, in kilometres an hour.
    public var speed: Double
    /// What the user must know before choosing it.
    public var disclaimer: String?

    public init(
        _ name: String,
        identifier: String,
        seats: Int,
        base: Int,
        perKilometer: Int,
        minimum: Int,
        speed: Double = 30,
        disclaimer: String? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.seats = seats
        self.base = base
        self.perKilometer = perKilometer
        self.minimum = minimum
        self.speed = speed
        self.disclaimer = disclaimer
    }

    /// The seconds that a vehicle takes for a distance.
    func seconds(for kilometers: Double) -> Double { kilometers / self.speed * 3_600 }
}
