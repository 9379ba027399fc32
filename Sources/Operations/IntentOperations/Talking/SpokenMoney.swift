internal import IntentKit

/// Reads amounts of money as people write them: `12 USD`, `USD 12`, `$12`, `12,50 €`.
enum SpokenMoney {
    private static let signs: [Character: String] = ["€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"]
    private static let names = [
        "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "pound": "GBP", "pounds": "GBP",
        "pfund": "GBP", "franken": "CHF",
    ]

    /// The amount; nil for other text, or without a currency.
    static func read(_ text: String) -> INCurrencyAmount? {
        var code: String?
        var digits = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            var rest = word[...]
            if let first = rest.first, let sign = Self.signs[first] {
                guard code == nil else { return nil }
                code = sign
                rest = rest.dropFirst()
            } else if let last = rest.last, let sign = Self.signs[last] {
                guard code == nil else { return nil }
                code = sign
                rest = rest.dropLast()
            }
            guard !rest.isEmpty else { continue }
            if rest.allSatisfy(\.isLetter) {
                if digits.isEmpty, let number = SpokenNumber.whole(rest.lowercased()) {
                    digits = String(number)
                    continue
                }
                guard code == nil else { return nil }
                code = Self.names[rest.lowercased()] ?? String(rest)
            } else {
                guard digits.isEmpty else { return nil }
                let letters = rest.drop { !$0.isLetter }
                if !letters.isEmpty {
                    guard code == nil else { return nil }
                    code = String(letters)
                    rest = rest.dropLast(letters.count)
                }
                digits = String(rest)
            }
        }
        guard let code, let amount = SpokenNumber.decimal(digits) else { return nil }
        return INCurrencyAmount(amount: amount, currencyCode: code)
    }
}
