public import IntentKit

public struct INRideStatus: ParameterValue, Codable {
    /// The service's identifier of the ride; none before it is requested.
    public var rideIdentifier: String?
    public var phase: INRidePhase
    /// How it ended, once it has.
    public var completionStatus: INRideCompletionStatus?
    public var vehicle: INRideVehicle?
    public var driver: INRideDriver?
    /// When the vehicle is at the pickup.
    public var estimatedPickupDate: OffsetDateTime?
    /// Until when it waits there.
    public var estimatedPickupEndDate: OffsetDateTime?
    public var estimatedDropOffDate: OffsetDateTime?
    /// The scheduled time, if not at once.
    public var scheduledPickupTime: INDateComponentsRange?
    public var pickupLocation: Placemark?
    public var dropOffLocation: Placemark?
    /// The kind of ride, with its price.
    public var rideOption: INRideOption?

    public init(
        rideIdentifier: String? = nil,
        phase: INRidePhase,
        completionStatus: INRideCompletionStatus? = nil,
        vehicle: INRideVehicle? = nil,
        driver: INRideDriver? = nil,
        estimatedPickupDate: OffsetDateTime? = nil,
        estimatedPickupEndDate: OffsetDateTime? = nil,
        estimatedDropOffDate: OffsetDateTime? = nil,
        scheduledPickupTime: INDateComponentsRange? = nil,
        pickupLocation: Placemark? = nil,
        dropOffLocation: Placemark? = nil,
        rideOption: INRideOption? = nil
    ) {
        self.rideIdentifier = rideIdentifier
        self.phase = phase
        self.completionStatus = completionStatus
        self.vehicle = vehicle
        self.driver = driver
        self.estimatedPickupDate = estimatedPickupDate
        self.estimatedPickupEndDate = estimatedPickupEndDate
        self.estimatedDropOffDate = estimatedDropOffDate
        self.scheduledPickupTime = scheduledPickupTime
        self.pickupLocation = pickupLocation
        self.dropOffLocation = dropOffLocation
        self.rideOption = rideOption
    }

    public static let typeName = "rideStatus"

    /// Reads an object; `nil` without `phase`.
    public init?(json: JSONValue) {
        guard let phase = json["phase"].flatMap(INRidePhase.init(json:))
        else { return nil }
        self.init(
            rideIdentifier: json["rideIdentifier"]?.string,
            phase: phase,
            completionStatus: json["completionStatus"].flatMap(INRideCompletionStatus.init(json:)),
            vehicle: json["vehicle"].flatMap(INRideVehicle.init(json:)),
            driver: json["driver"].flatMap(INRideDriver.init(json:)),
            estimatedPickupDate: json["estimatedPickupDate"].flatMap(OffsetDateTime.init(json:)),
            estimatedPickupEndDate: json["estimatedPickupEndDate"].flatMap(OffsetDateTime.init(json:)),
            estimatedDropOffDate: json["estimatedDropOffDate"].flatMap(OffsetDateTime.init(json:)),
            scheduledPickupTime: json["scheduledPickupTime"].flatMap(INDateComponentsRange.init(json:)),
            pickupLocation: json["pickupLocation"].flatMap(Placemark.init(json:)),
            dropOffLocation: json["dropOffLocation"].flatMap(Placemark.init(json:)),
            rideOption: json["rideOption"].flatMap(INRideOption.init(json:))
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "rideIdentifier": self.rideIdentifier?.json,
            "phase": self.phase.json,
            "completionStatus": self.completionStatus?.json,
            "vehicle": self.vehicle?.json,
            "driver": self.driver?.json,
            "estimatedPickupDate": self.estimatedPickupDate?.json,
            "estimatedPickupEndDate": self.estimatedPickupEndDate?.json,
            "estimatedDropOffDate": self.estimatedDropOffDate?.json,
            "scheduledPickupTime": self.scheduledPickupTime?.json,
            "pickupLocation": self.pickupLocation?.json,
            "dropOffLocation": self.dropOffLocation?.json,
            "rideOption": self.rideOption?.json,
        ])
    }
}
