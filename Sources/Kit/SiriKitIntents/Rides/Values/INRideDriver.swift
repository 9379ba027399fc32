public import IntentKit

/// The driver of a ride.
public struct INRideDriver: ParameterValue, Codable {
    /// The name to show.
    public var displayName: String
    /// The driver's rating.
    public var rating: String?
    /// How the driver is reached.
    public var phoneNumber: String?

    /// Describes it by what is known.
    public init(
        displayName: String,
        rating: String? = nil,
        phoneNumber: String? = nil
    ) {
        self.displayName = displayName
        self.rating = rating
        self.phoneNumber = phoneNumber
    }

    /// `rideDriver`.
    public static let typeName = "rideDriver"

    /// Reads an object with `displayName`.
    public init?(json: JSONValue) {
        guard let displayName = json["displayName"]?.string
        else { return nil }
        self.init(
            displayName: displayName,
            rating: json["rating"]?.string,
            phoneNumber: json["phoneNumber"]?.string
        )
    }

    /// An object with what is known.
    public var json: JSONValue {
        .members([
            "displayName": self.displayName.json,
            "rating": self.rating?.json,
            "phoneNumber": self.phoneNumber?.json,
        ])
    }
}
