/// A kind of ride with its fares.
public struct RideTariff: Hashable, Sendable, Codable {
    /// The service's identifier of it.
    public var identifier: String
    /// Its name.
    public var name: String
    /// How many people it takes.
    public var seats: Int
    /// What every ride costs, in hundredths of the currency.
    public var base: Int
    /// What a kilometre costs on top.
    public var perKilometer: Int
    /// What a ride costs at least.
    public var minimum: Int
    /// How fast the vehicles are in the city, in kilometres an hour.
    public var speed: Double
    /// What the user has to know before choosing it.
    public var disclaimer: String?

    /// Describes a kind of ride.
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
