/// An amount of money (SiriKit's `INCurrencyAmount`): a decimal number, never a float.
public struct INCurrencyAmount: ParameterValue, Codable {
    /// The amount as a decimal number in text, such as `12.50`.
    public var amount: String
    /// The currency's ISO 4217 code in capitals.
    public var currencyCode: String

    /// Makes an amount; nil when the text is no decimal number or the code is not three letters.
    public init?(amount: String, currencyCode: String) {
        let code = currencyCode.uppercased()
        guard Self.isDecimal(amount), code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
            return nil
        }
        self.amount = amount
        self.currencyCode = code
    }

    public static let typeName = "currencyAmount"

    /// Reads an object with `amount` (a string; a JSON integer is accepted too) and `currencyCode`.
    public init?(json: JSONValue) {
        guard let code = json["currencyCode"]?.string else { return nil }
        guard let amount = json["amount"]?.string ?? json["amount"]?.integer.map(String.init) else { return nil }
        self.init(amount: amount, currencyCode: code)
    }

    /// An object with `amount` and `currencyCode`, both strings.
    public var json: JSONValue {
        ["amount": .string(self.amount), "currencyCode": .string(self.currencyCode)]
    }

    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), digits.utf8.count <= 32 else { return false }
        return parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
    }
}
