import IntentKit
import SiriKitIntents

/// The price of a ride, with its parts.
struct RideFare: Hashable, Sendable, Codable {
    /// One part of it, in hundredths of the currency.
    struct Part: Hashable, Sendable, Codable {
        var title: String
        var amount: Int
    }

    var parts: [Part]
    /// The percentage of the usual price.
    var percent: Int

    var total: Int { self.parts.reduce(0) { $0 + $1.amount } }

    /// The total as an amount of money.
    func amount(_ currencyCode: String) -> INCurrencyAmount? {
        INCurrencyAmount(amount: Self.text(self.total), currencyCode: currencyCode)
    }

    /// The range of prices: there is one price, and it is agreed beforehand.
    func priceRange(_ currencyCode: String) -> INPriceRange {
        let price = Self.text(self.total)
        return INPriceRange(minimumPrice: price, maximumPrice: price, currencyCode: currencyCode)
    }

    /// The parts as lines of a bill.
    func lineItems(_ currencyCode: String) -> [INRideFareLineItem] {
        self.parts.map { INRideFareLineItem(title: $0.title, price: Self.text($0.amount), currencyCode: currencyCode) }
    }

    /// Hundredths as a decimal number.
    static func text(_ amount: Int) -> String {
        let digits = String(abs(amount) % 100)
        return "\(amount < 0 ? "-" : "")\(abs(amount) / 100).\(digits.count < 2 ? "0" : "")\(digits)"
    }

    /// A decimal number in hundredths; nil with more than two digits behind the point.
    static func hundredths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = Int(parts[0]), parts.count <= 2 else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : "0"
        guard fraction.count <= 2, let rest = Int(fraction), !whole.multipliedReportingOverflow(by: 100).overflow else {
            return nil
        }
        let cents = fraction.count == 1 ? rest * 10 : rest
        return whole * 100 + (text.hasPrefix("-") ? -cents : cents)
    }
}

extension RideFare {
    /// The fare of a distance, at a percentage of the usual price.
    init(_ tariff: RideTariff, kilometers: Double, percent: Int) {
        var parts = [
            Part(title: "Base fare", amount: tariff.base),
            Part(title: "Distance", amount: Int((kilometers * Double(tariff.perKilometer)).rounded())),
        ]
        let usual = parts.reduce(0) { $0 + $1.amount }
        if usual < tariff.minimum { parts.append(Part(title: "Minimum fare", amount: tariff.minimum - usual)) }
        let surge = max(usual, tariff.minimum) * (percent - 100) / 100
        if surge != 0 { parts.append(Part(title: surge > 0 ? "High demand" : "Discount", amount: surge)) }
        self.init(parts: parts, percent: percent)
    }
}
