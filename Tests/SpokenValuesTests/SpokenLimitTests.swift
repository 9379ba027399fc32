import IntentKit
import Testing

@testable import SpokenValues

@Suite("Limits of reading")
struct SpokenLimitTests {
    private static let types = [
        "date", "time", "dateTime", "dateRange", "duration", "currencyAmount", "integer", "number", "boolean",
    ]

    @Test("Long texts are not read")
    func longTextsAreNotRead() {
        let reader = SpokenCases.reader("en")
        #expect(reader.read("tomorrow" + String(repeating: " ", count: 249), as: "date").candidates.isEmpty)
        #expect(!reader.read("tomorrow" + String(repeating: " ", count: 248), as: "date").candidates.isEmpty)
        let many = String(repeating: "on ", count: SpokenReader.maximumTokens)
        #expect(reader.read(many + "Friday", as: "date").candidates.isEmpty)
        #expect(!reader.read(String(many.dropFirst(3)) + "Friday", as: "date").candidates.isEmpty)
    }

    @Test("A type without spoken values is not read")
    func otherTypesAreNotRead() {
        #expect(!SpokenReader.reads("person"))
        #expect(SpokenCases.reader("en").read("tomorrow", as: "string").candidates.isEmpty)
    }

    @Test("Any sequence of words, numbers and marks is read twice alike, and as values of the type")
    func randomTextsGiveValidValues() throws {
        var random = SplitMix(state: 7)
        let marks = [
            "-", ".", ",", ":", "/", "'", "1", "5", "12", "30", "99", "0.000000000000000001", "999999999999999999",
            "9223372036854775807", "2026", "0", "€", "$", "12.", "9h", "3pm", "@",
        ]
        for language in Language.all {
            let words = language.phrases.flatMap { $0.1.split(separator: "|").map(String.init) } + marks + marks + marks
            let reader = SpokenCases.reader(language.code)
            for _ in 0..<800 {
                let count = 1 + Int(random.next() % 7)
                let text = (0..<count).map { _ in words[Int(random.next() % UInt64(words.count))] }
                    .joined(separator: " ")
                for type in Self.types {
                    let reading = reader.read(text, as: type)
                    #expect(reading == reader.read(text, as: type))
                    for candidate in reading.candidates {
                        try #require(Self.accepts(candidate.value, type), "\(text) as \(type): \(candidate.value)")
                    }
                }
            }
        }
    }

    @Test("Any characters are read without a trap")
    func randomCharactersAreRead() {
        var random = SplitMix(state: 11)
        let characters = Array("0123456789abcdmntuvwzäéñß .,:;-/'\"€$½٣ǅ\u{301}\u{202F}日🙂")
        let reader = SpokenCases.reader("de")
        for _ in 0..<800 {
            let text = String((0..<24).map { _ in characters[Int(random.next() % UInt64(characters.count))] })
            for type in Self.types { _ = reader.read(text, as: type) }
        }
    }

    @Test("Instants and amounts beyond the range are not read")
    func valuesBeyondRangeAreNotRead() {
        for text in [
            "in 9999999 years", "in 99999999999 days", "1 January 10000", "in 999999999999999999 hours",
            "in 0.000000000000000001 days",
        ] {
            for type in ["date", "dateTime", "dateRange"] { #expect(SpokenCases.read(text, type, "en") == []) }
        }
        #expect(SpokenCases.read("9999999999 trillion", "integer", "en") == [])
        #expect(SpokenCases.read("99999999999999999 dollars", "currencyAmount", "en") == ["99999999999999999 USD"])
    }

    private static func accepts(_ value: JSONValue, _ type: String) -> Bool {
        switch type {
        case "date": CalendarDate(json: value) != nil
        case "time": TimeOfDay(json: value) != nil
        case "dateTime": OffsetDateTime(json: value) != nil
        case "dateRange": INDateComponentsRange(json: value) != nil
        case "duration": TimeSpan(json: value) != nil
        case "currencyAmount": INCurrencyAmount(json: value) != nil
        case "integer": Int(json: value) != nil
        case "number": Double(json: value) != nil
        default: Bool(json: value) != nil
        }
    }
}
