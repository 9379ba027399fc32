public import IntentKit

public struct INRideFareLineItem: ParameterValue, Codable {
    /// What it is for.
    public var title: String
    /// How much, a decimal number in text.
    public var price: String
    /// The currency's ISO 4217 code.
    public var currencyCode: String

    public init(
        title: String,
        price: String,
        currencyCode: String
    ) {
        self.title = title
        self.price = price
        self.currencyCode = currencyCode
    }

    public static let typeName = "rideFareLineItem"

    /// Reads an object with `title`, `price`, `currencyCode`.
    public init?(json: JSONValue) {
        guard let title = json["title"]?.string,
            let price = json["price"]?.string,
            let currencyCode = json["currencyCode"]?.string
        else { return nil }
        self.init(
            title: title,
            price: price,
            currencyCode: currencyCode
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "title": self.title.json,
            "price": self.price.json,
            "currencyCode": self.currencyCode.json,
        ])
    }
}
