public import IntentKit

/// What kind of money a payment comes from.
public enum INPaymentMethodType: String, EnumerationValue, Codable {
    /// Not known.
    case unknown
    /// A checking account.
    case checking
    /// A savings account.
    case savings
    /// A brokerage account.
    case brokerage
    /// A debit card.
    case debit
    /// A credit card.
    case credit
    /// A prepaid account or card.
    case prepaid
    /// Credit with a store.
    case store
    /// Apple Pay.
    case applePay
}

/// What a payment comes from: an account or a card, by what the user may see of it.
public struct INPaymentMethod: ParameterValue, Codable {
    /// What kind it is.
    public var type: INPaymentMethodType
    /// What the user calls it.
    public var name: String?
    /// What tells it from others without giving it away: the last digits.
    public var identificationHint: String?

    /// Describes a method.
    public init(type: INPaymentMethodType, name: String? = nil, identificationHint: String? = nil) {
        self.type = type
        self.name = name
        self.identificationHint = identificationHint
    }

    /// `paymentMethod`.
    public static let typeName = "paymentMethod"

    /// Reads an object with `type`.
    public init?(json: JSONValue) {
        guard let type = json["type"].flatMap(INPaymentMethodType.init(json:)) else { return nil }
        self.init(type: type, name: json["name"]?.string, identificationHint: json["identificationHint"]?.string)
    }

    /// An object with what is known.
    public var json: JSONValue {
        .members([
            "type": self.type.json, "name": self.name?.json, "identificationHint": self.identificationHint?.json,
        ])
    }
}
