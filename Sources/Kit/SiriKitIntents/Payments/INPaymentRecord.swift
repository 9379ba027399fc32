public import IntentKit

/// A payment, or a request for one, as it was recorded.
public struct INPaymentRecord: ParameterValue, Codable {
    /// The app's identifier of it.
    public var identifier: String
    public var payee: INPerson?
    public var payer: INPerson?
    public var currencyAmount: INCurrencyAmount?
    public var paymentMethod: INPaymentMethod?
    /// What it is for.
    public var note: String?
    public var status: INPaymentStatus
    /// The service's fee.
    public var feeAmount: INCurrencyAmount?

    public init(
        identifier: String,
        payee: INPerson? = nil,
        payer: INPerson? = nil,
        currencyAmount: INCurrencyAmount? = nil,
        paymentMethod: INPaymentMethod? = nil,
        note: String? = nil,
        status: INPaymentStatus,
        feeAmount: INCurrencyAmount? = nil
    ) {
        self.identifier = identifier
        self.payee = payee
        self.payer = payer
        self.currencyAmount = currencyAmount
        self.paymentMethod = paymentMethod
        self.note = note
        self.status = status
        self.feeAmount = feeAmount
    }

    public static let typeName = "paymentRecord"

    /// Reads an object with `identifier` and `status`.
    public init?(json: JSONValue) {
        guard let identifier = json["identifier"]?.string,
            let status = json["status"].flatMap(INPaymentStatus.init(json:))
        else { return nil }
        self.init(
            identifier: identifier,
            payee: json["payee"].flatMap(INPerson.init(json:)),
            payer: json["payer"].flatMap(INPerson.init(json:)),
            currencyAmount: json["currencyAmount"].flatMap(INCurrencyAmount.init(json:)),
            paymentMethod: json["paymentMethod"].flatMap(INPaymentMethod.init(json:)),
            note: json["note"]?.string,
            status: status,
            feeAmount: json["feeAmount"].flatMap(INCurrencyAmount.init(json:))
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "identifier": .string(self.identifier),
            "payee": self.payee?.json,
            "payer": self.payer?.json,
            "currencyAmount": self.currencyAmount?.json,
            "paymentMethod": self.paymentMethod?.json,
            "note": self.note?.json,
            "status": self.status.json,
            "feeAmount": self.feeAmount?.json,
        ])
    }
}
