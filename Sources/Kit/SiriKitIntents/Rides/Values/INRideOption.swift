public import IntentKit

/// A kind of ride that a user can choose.
public struct INRideOption: ParameterValue, Codable {
    public var name: String
    /// When a vehicle could be there.
    public var estimatedPickupDate: OffsetDateTime?
    public var priceRange: INPriceRange?
    /// Whether a meter decides what it costs.
    public var usesMeteredFare: Bool?
    /// What the user has to know before choosing it.
    public var disclaimerMessage: String?
    public var availablePartySizeOptions: [INRidePartySizeOption]?
    /// Why it costs more or less than usual.
    public var specialPricing: String?
    public var fareLineItems: [INRideFareLineItem]?

    public init(
        name: String,
        estimatedPickupDate: OffsetDateTime? = nil,
        priceRange: INPriceRange? = nil,
        usesMeteredFare: Bool? = nil,
        disclaimerMessage: String? = nil,
        availablePartySizeOptions: [INRidePartySizeOption]? = nil,
        specialPricing: String? = nil,
        fareLineItems: [INRideFareLineItem]? = nil
    ) {
        self.name = name
        self.estimatedPickupDate = estimatedPickupDate
        self.priceRange = priceRange
        self.usesMeteredFare = usesMeteredFare
        self.disclaimerMessage = disclaimerMessage
        self.availablePartySizeOptions = availablePartySizeOptions
        self.specialPricing = specialPricing
        self.fareLineItems = fareLineItems
    }

    public static let typeName = "rideOption"

    /// Reads an object; `nil` without `name`.
    public init?(json: JSONValue) {
        guard let name = json["name"]?.string
        else { return nil }
        self.init(
            name: name,
            estimatedPickupDate: json["estimatedPickupDate"].flatMap(OffsetDateTime.init(json:)),
            priceRange: json["priceRange"].flatMap(INPriceRange.init(json:)),
            usesMeteredFare: json["usesMeteredFare"]?.bool,
            disclaimerMessage: json["disclaimerMessage"]?.string,
            availablePartySizeOptions: json["availablePartySizeOptions"].flatMap([INRidePartySizeOption].init(json:)),
            specialPricing: json["specialPricing"]?.string,
            fareLineItems: json["fareLineItems"].flatMap([INRideFareLineItem].init(json:))
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "name": self.name.json,
            "estimatedPickupDate": self.estimatedPickupDate?.json,
            "priceRange": self.priceRange?.json,
            "usesMeteredFare": self.usesMeteredFare?.json,
            "disclaimerMessage": self.disclaimerMessage?.json,
            "availablePartySizeOptions": self.availablePartySizeOptions?.json,
            "specialPricing": self.specialPricing?.json,
            "fareLineItems": self.fareLineItems?.json,
        ])
    }
}
