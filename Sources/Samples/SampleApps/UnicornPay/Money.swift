public import IntentKit

/// An exact amount of money: whole units of the currency's smallest coin.
public struct Money: Hashable, Sendable, Codable {
    /// The amount in the smallest coin: 1250 for 12.50 euros, 1250 for 1,250 yen.
    public var minorUnits: Int64
    /// The currency's ISO 4217 code.
    public var currencyCode: String

    /// Creates an amount in the smallest coin; the currency is three capitals.
    public init(minorUnits: Int64, currencyCode: String) {
        self.minorUnits = minorUnits
        self.currencyCode = currencyCode
    }

    /// Creates an amount from a parameter.
    ///
    /// - Returns: Nil when it is finer than the currency's smallest coin, such as 12.505 euros. An amount beyond 64
    ///   bits becomes the largest possible one, so that it is above any maximum.
    public init?(_ amount: INCurrencyAmount) {
        let decimals = Self.decimals(of: amount.currencyCode)
        let isNegative = amount.amount.hasPrefix("-")
        let digits = isNegative ? amount.amount.dropFirst() : amount.amount[...]
        let parts = digits.split(separator: ".")
        let fraction = parts.count > 1 ? parts[1] : ""
        guard fraction.dropFirst(decimals).allSatisfy({ $0 == "0" }) else { return nil }
        let coins = fraction.prefix(decimals)
        let text = String(parts[0]) + coins + String(repeating: "0", count: decimals - coins.count)
        let magnitude = Int64(text) ?? .max
        self.init(minorUnits: isNegative ? -magnitude : magnitude, currencyCode: amount.currencyCode)
    }

    /// The amount in its form on the wire, with all of the currency's decimals.
    public var currencyAmount: INCurrencyAmount {
        let decimals = Self.decimals(of: self.currencyCode)
        var digits = String(self.minorUnits.magnitude)
        if decimals > 0 {
            digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        let text = self.minorUnits < 0 ? "-\(digits)" : digits
        guard let amount = INCurrencyAmount(amount: text, currencyCode: self.currencyCode) else {
            preconditionFailure("\(text) \(self.currencyCode) is no amount")
        }
        return amount
    }

    /// The number of decimals of a currency (ISO 4217): two unless listed here.
    static func decimals(of currencyCode: String) -> Int {
        switch currencyCode {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
            "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        default: 2
        }
    }
}
