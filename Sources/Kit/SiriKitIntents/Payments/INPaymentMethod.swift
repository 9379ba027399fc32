public import IntentKit

public enum INPaymentMethodType: String, EnumerationValue, Codable {
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
    case applePay
}

/// A payment method: an account or a card, with the details that the user may see.
public struct INPaymentMethod: ParameterValue, Codable {
    public var type: INPaymentMethodType
    /// What the user calls it.
    public var name: String?
    /// A hint that identifies it without revealing it: the last digits.
    public var identificationHint: String?

    public init(type: INPaymentMethodType, name: String? = nil, identificationHint: String? = nil) {
        self.type = type
        self.name = name
        self.identificationHint = identificationHint
    }

    public static let typeName = "paymentMethod"

    /// Reads an object; `nil` without `type`.
    public init?(json: JSONValue) {
        guard let type = json["type"].flatMap(INPaymentMethodType.init(json:)) else { return nil }
        self.init(type: type, name: json["name"]?.string, identificationHint: json["identificationHint"]?.string)
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "type": self.type.json, "name": self.name?.json, "identificationHint": self.identificationHint?.json,
        ])
    }
}
