public import IntentKit

/// The kind of a payment method.
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

/// A payment method: an account or a card, with the details that the user may see.
public struct INPaymentMethod: ParameterValue, Codable {
    /// What kind it is.
    public var type: INPaymentMethodType
    /// What the user calls it.
    public var name: String?
    /// A hint that identifies it without revealing it: the last digits.
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
