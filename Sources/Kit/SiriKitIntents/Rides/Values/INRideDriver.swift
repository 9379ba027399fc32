public import IntentKit

public struct INRideDriver: ParameterValue, Codable {
    public var displayName: String
    public var rating: String?
    public var phoneNumber: String?

    public init(
        displayName: String,
        rating: String? = nil,
        phoneNumber: String? = nil
    ) {
        self.displayName = displayName
        self.rating = rating
        self.phoneNumber = phoneNumber
    }

    public static let typeName = "rideDriver"

    /// Reads an object; `nil` without `displayName`.
    public init?(json: JSONValue) {
        guard let displayName = json["displayName"]?.string
        else { return nil }
        self.init(
            displayName: displayName,
            rating: json["rating"]?.string,
            phoneNumber: json["phoneNumber"]?.string
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "displayName": self.displayName.json,
            "rating": self.rating?.json,
            "phoneNumber": self.phoneNumber?.json,
        ])
    }
}
