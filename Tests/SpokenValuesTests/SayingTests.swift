import IntentKit
import Testing

@testable import SpokenValues

@Suite("Values in words")
struct SayingTests {
    @Test(
        "Values in each language",
        arguments: [
            ("en", "date", "2026-12-03", "Thursday, 3 December 2026"),
            ("en-US", "date", "2026-12-03", "Thursday, December 3, 2026"),
            ("de", "date", "2026-12-03", "Donnerstag, 3. Dezember 2026"),
            ("fr", "date", "2026-12-01", "mardi 1er décembre 2026"),
            ("es", "date", "2026-12-03", "jueves, 3 de diciembre de 2026"),
            ("ja", "date", "2026-12-03", "Thursday, 3 December 2026"),
            ("en", "time", "17:30", "17:30"), ("en-US", "time", "17:30", "5:30 PM"),
            ("en-US", "time", "00:05", "12:05 AM"),
            ("de", "time", "17:30", "17:30 Uhr"), ("de", "duration", "P2DT1H30M", "2 Tage, 1 Stunde und 30 Minuten"),
            ("fr", "duration", "PT1H", "1 heure"),
            ("en", "dateTime", "2026-12-03T17:30:00+01:00", "Thursday, 3 December 2026 at 17:30"),
            ("en", "dateTime", "2026-12-03T16:30:00Z", "Thursday, 3 December 2026 at 16:30 (UTC+00:00)"),
            ("de", "dateTime", "2026-12-03T17:30:00+01:00", "Donnerstag, 3. Dezember 2026, 17:30 Uhr"),
        ]
    )
    func saysValues(locale: String, type: String, value: String, words: String) {
        #expect(SpokenCases.reader(locale).words(for: .string(value), as: type) == words)
    }

    @Test("Ranges, amounts, numbers and answers")
    func saysOtherTypes() {
        let german = SpokenCases.reader("de")
        let english = SpokenCases.reader("en")
        #expect(
            german.words(for: ["start": "2026-12-03", "end": "2026-12-05"], as: "dateRange")
                == "von Donnerstag, 3. Dezember 2026 bis Samstag, 5. Dezember 2026"
        )
        #expect(
            english.words(
                for: ["start": "2026-12-03T09:30:00+01:00", "end": "2026-12-03T11:00:00+01:00"],
                as: "dateRange"
            ) == "Thursday, 3 December 2026, 09:30 to 11:00"
        )
        #expect(
            german.words(for: ["amount": "1234.50", "currencyCode": "EUR"], as: "currencyAmount") == "1.234,50\u{A0}€"
        )
        #expect(
            english.words(for: ["amount": "-12.50", "currencyCode": "CHF"], as: "currencyAmount") == "-CHF\u{A0}12.50"
        )
        #expect(english.words(for: .integer(1_234_567), as: "integer") == "1,234,567")
        #expect(SpokenCases.reader("fr").words(for: .number(1_234.5), as: "number") == "1\u{202F}234,5")
        #expect(SpokenCases.reader("es").words(for: true, as: "boolean") == "sí")
        #expect(english.words(for: "soon", as: "date") == nil)
        #expect(english.words(for: "Ada", as: "person") == nil)
    }

    @Test(
        "What is said is read back to the same value",
        arguments: ["en", "en-US", "en-GB", "de", "de-CH", "fr", "es", "es-MX"]
    )
    func saidValuesAreReadBack(locale: String) throws {
        let reader = SpokenCases.reader(locale)
        var random = SplitMix(state: 20_261_125)
        for _ in 0..<400 {
            for (type, value) in Self.values(&random) {
                let words = try #require(reader.words(for: value, as: type))
                let read = reader.read(words, as: type).candidates.map(\.value)
                #expect(read.contains(value), "\(words) is read as \(read)")
            }
        }
    }

    /// One value of each type, with at most one reading of its words that differs.
    private static func values(_ random: inout SplitMix) -> [(String, JSONValue)] {
        func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(random.next() % UInt64(range.count)) }
        let day = CivilDay(number: number(15_000...25_000))
        let later = day + number(1...300)
        let time = "\(number(0...23).digits(2)):\(number(0...59).digits(2))"
        let local = day.number * 86_400 + number(0...86_399)
        let instant = local - SpokenCases.berlin.offset(local)
        let offset = SpokenCases.berlin.offset(instant)
        let seconds = instant + offset - CivilDay(localSeconds: instant + offset).number * 86_400
        let clock = "\((seconds / 3_600).digits(2)):\((seconds / 60 % 60).digits(2)):\((seconds % 60).digits(2))"
        let point = "\(CivilDay(localSeconds: instant + offset).text)T\(clock)+0\(offset / 3_600):00"
        return [
            ("date", .string(day.text)), ("time", .string(time)), ("dateTime", .string(point)),
            ("dateRange", ["start": .string(day.text), "end": .string(later.text)]),
            ("dateRange", ["start": .string(day.text)]), ("dateRange", ["end": .string(day.text)]),
            ("duration", .string("P\(number(1...9))DT\(number(1...23))H\(number(1...59))M")),
            (
                "currencyAmount",
                ["amount": .string("\(number(0...99_999)).\(number(0...99).digits(2))"), "currencyCode": "EUR"]
            ),
            ("integer", .integer(Int64(number(-9_999_999...9_999_999)))),
            ("number", .number(Double(number(-99_999...99_999)) / 8)), ("boolean", .bool(number(0...1) == 1)),
        ]
    }
}

/// A generator of random numbers with a seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
