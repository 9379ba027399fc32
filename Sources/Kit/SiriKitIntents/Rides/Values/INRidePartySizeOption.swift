public import IntentKit

/// How many people a ride may have, and what it costs then.
public struct INRidePartySizeOption: ParameterValue, Codable {
    public var minimumPartySize: Int
    public var maximumPartySize: Int
    /// The size in words.
    public var sizeDescription: String
    public var priceRange: INPriceRange?

    public init(
        minimumPartySize: Int,
        maximumPartySize: Int,
        sizeDescription: String,
        priceRange: INPriceRange? = nil
    ) {
        self.minimumPartySize = minimumPartySize
        self.maximumPartySize = maximumPartySize
        self.sizeDescription = sizeDescription
        self.priceRange = priceRange
    }

    public static let typeName = "ridePartySizeOption"

    /// Reads an object with `minimumPartySize`, `maximumPartySize`, `sizeDescription`.
    public init?(json: JSONValue) {
        guard let minimumPartySize = json["minimumPartySize"].flatMap(Int.init(json:)),
            let maximumPartySize = json["maximumPartySize"].flatMap(Int.init(json:)),
            let sizeDescription = json["sizeDescription"]?.string
        else { return nil }
        self.init(
            minimumPartySize: minimumPartySize,
            maximumPartySize: maximumPartySize,
            sizeDescription: sizeDescription,
            priceRange: json["priceRange"].flatMap(INPriceRange.init(json:))
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "minimumPartySize": self.minimumPartySize.json,
            "maximumPartySize": self.maximumPartySize.json,
            "sizeDescription": self.sizeDescription.json,
            "priceRange": self.priceRange?.json,
        ])
    }
}
