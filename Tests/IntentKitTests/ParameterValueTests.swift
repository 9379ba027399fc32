import Foundation
import IntentKit
import Testing

@Suite("R11: values on the wire")
struct ParameterValueTests {
    enum Equipment: String, EnumerationValue {
        case barbell
        case dumbbell
    }

    private func check<Value: ParameterValue>(_ type: Value.Type, _ json: JSONValue, _ expected: JSONValue?) throws {
        let value = Value(json: json)
        #expect(value?.json == expected, "\(type) from \(json)")
        if let value { #expect(Value(json: value.json) == value, "\(type) reads what it writes") }
    }

    @Test("Basic values")
    func readsBasicValues() throws {
        try self.check(String.self, "a", "a")
        try self.check(String.self, 1, nil)
        try self.check(Bool.self, true, true)
        try self.check(Bool.self, 1, nil)
        try self.check(Double.self, 2, 2.0)
        try self.check(Double.self, "2", nil)
        try self.check([Int].self, [1, 2], [1, 2])
        try self.check([Int].self, [1, "x"], nil)
        try self.check(Equipment.self, "barbell", "barbell")
        try self.check(Equipment.self, "kettlebell", nil)
    }

    @Test("Integers beyond 2⁵³ are strings")
    func largeIntegersAreStrings() throws {
        try self.check(Int.self, 9_007_199_254_740_992, 9_007_199_254_740_992)
        try self.check(Int.self, 9_007_199_254_740_993, "9007199254740993")
        try self.check(Int.self, "-9223372036854775808", "-9223372036854775808")
        try self.check(Int.self, "12", 12)
        try self.check(Int.self, 4.0, 4)
        for wrong: JSONValue in ["012", "+1", "1.0", "", 4.5, "9223372036854775808", true] {
            try self.check(Int.self, wrong, nil)
        }
    }

    @Test("Dates, times and durations that do not exist are refused")
    func refusesImpossibleDatesAndTimes() throws {
        try self.check(CalendarDate.self, "2028-02-29", "2028-02-29")
        for wrong: JSONValue in ["2027-02-29", "2026-13-01", "2026-1-1", "2026-11-21T", "20261121", 20_261_121] {
            try self.check(CalendarDate.self, wrong, nil)
        }
        for right: JSONValue in ["00:00", "23:59:59", "13:30:15.25"] { try self.check(TimeOfDay.self, right, right) }
        for wrong: JSONValue in ["24:00", "12:60", "1:00", "12:00Z", "12:00:00.", "12"] {
            try self.check(TimeOfDay.self, wrong, nil)
        }
        for right: JSONValue in ["2026-11-21T13:30Z", "2026-11-21t13:30:15.5-05:00"] {
            try self.check(OffsetDateTime.self, right, right)
        }
        for wrong: JSONValue in ["2026-11-21T13:30", "2026-11-21 13:30Z", "2026-11-21T13:30+1", "2026-11-21"] {
            try self.check(OffsetDateTime.self, wrong, nil)
        }
        for right: JSONValue in ["PT20M", "P1D", "P1W2DT3H", "PT0.5S"] { try self.check(TimeSpan.self, right, right) }
        for wrong: JSONValue in ["P", "PT", "20M", "PT20", "PT1M1H", "P1Y", "P1M", "PT-1S", "P1DT"] {
            try self.check(TimeSpan.self, wrong, nil)
        }
    }

    @Test("A date range may be open at one end")
    func dateRangeMayBeOpen() throws {
        try self.check(INDateComponentsRange.self, ["start": "2026-11-21"], ["start": "2026-11-21"])
        try self.check(INDateComponentsRange.self, ["end": "2026-11-21T10:00Z"], ["end": "2026-11-21T10:00Z"])
        for wrong: JSONValue in [[:], ["start": "soon"], "2026-11-21", ["start": .null]] {
            try self.check(INDateComponentsRange.self, wrong, nil)
        }
    }

    @Test("Money is decimal text with a currency")
    func moneyIsDecimalTextWithCurrency() throws {
        let euros: JSONValue = ["amount": "12.50", "currencyCode": "EUR"]
        try self.check(INCurrencyAmount.self, ["amount": "12.50", "currencyCode": "eur"], euros)
        try self.check(
            INCurrencyAmount.self,
            ["amount": 5, "currencyCode": "CHF"],
            ["amount": "5", "currencyCode": "CHF"]
        )
        for amount: JSONValue in ["", "1.", ".5", "1e3", "1,5", "--1", 12.5] {
            try self.check(INCurrencyAmount.self, ["amount": amount, "currencyCode": "EUR"], nil)
        }
        try self.check(INCurrencyAmount.self, ["amount": "1", "currencyCode": "EURO"], nil)
        try self.check(INCurrencyAmount.self, ["amount": "1"], nil)
    }

    @Test("People, places and phrases may be plain strings")
    func plainStringsArePeoplePlacesAndPhrases() throws {
        try self.check(INPerson.self, "Diana", ["spokenPhrase": "Diana"])
        try self.check(INSpeakableString.self, "legs", ["spokenPhrase": "legs"])
        try self.check(Placemark.self, "Home", ["name": "Home"])
        try self.check(INPerson.self, [:], nil)
        try self.check(INPerson.self, 4, nil)
        try self.check(Placemark.self, ["name": "Pole", "latitude": 90.0], ["name": "Pole", "latitude": 90.0])
        try self.check(Placemark.self, ["name": "Beyond", "latitude": 90.1], nil)
        try self.check(Placemark.self, ["name": "Beyond", "longitude": -181], nil)
    }

    @Test("An address has a value, a label or both")
    func addressHasValueOrLabel() throws {
        let full: JSONValue = ["handle": ["value": "a@b", "type": "emailAddress", "label": "work"]]
        try self.check(INPerson.self, full, full)
        try self.check(INPerson.self, ["handle": ["label": "work"]], ["handle": ["label": "work", "type": "unknown"]])
        try self.check(INPerson.self, ["handle": ["type": "phoneNumber"]], nil)
    }

    @Test("behaviours 28 and 29: what counts as missing")
    func countsMissingValues() {
        #expect("".isMissing && " \n".isMissing && !"a".isMissing)
        #expect([Int]().isMissing && ![0].isMissing)
        #expect(INPerson(spokenPhrase: " ").isMissing && !INPerson(identifier: "x").isMissing)
        #expect(INSpeakableString(spokenPhrase: "").isMissing)
        #expect(Placemark(name: "").isMissing && !Placemark(name: "", latitude: 1).isMissing)
        #expect(!false.isMissing && !0.isMissing)
    }

    @Test("Codable values can be the results of reads and effects")
    func codableValuesAreReadsAndEffects() throws {
        let person = INPerson(
            spokenPhrase: "D",
            identifier: "d",
            handle: INPersonHandle(value: "a@b", type: .emailAddress)
        )
        let data = try JSONEncoder().encode([person])
        #expect(try JSONDecoder().decode([INPerson].self, from: data) == [person])
        let places = [Placemark(name: "Home", latitude: 48.2)]
        #expect(try JSONDecoder().decode([Placemark].self, from: JSONEncoder().encode(places)) == places)
    }
}
