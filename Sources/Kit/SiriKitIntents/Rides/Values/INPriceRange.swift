public import IntentKit

/// A price range: a minimum and a maximum, which are equal for a fixed price.
public struct INPriceRange: ParameterValue, Codable {
    /// The minimum, a decimal number in text.
    public var minimumPrice: String
    /// The maximum, a decimal number in text.
    public var maximumPrice: String
    /// The currency's ISO 4217 code.
    public var currencyCode: String

    public init(
        minimumPrice: String,
        maximumPrice: String,
        currencyCode: String
    ) {
        self.minimumPrice = minimumPrice
        self.maximumPrice = maximumPrice
        self.currencyCode = currencyCode
    }

    public static let typeName = "priceRange"

    /// Reads an object with `minimumPrice`, `maximumPrice`, `currencyCode`.
    public init?(json: JSONValue) {
        guard let minimumPrice = json["minimumPrice"]?.string,
            let maximumPrice = json["maximumPrice"]?.string,
            let currencyCode = json["currencyCode"]?.string
        else { return nil }
        self.init(
            minimumPrice: minimumPrice,
            maximumPrice: maximumPrice,
            currencyCode: currencyCode
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "minimumPrice": self.minimumPrice.json,
            "maximumPrice": self.maximumPrice.json,
            "currencyCode": self.currencyCode.json,
        ])
    }
}
