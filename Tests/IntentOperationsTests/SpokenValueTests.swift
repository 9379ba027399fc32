import IntentKit
import Testing

@testable import IntentOperations

@Suite("Values as people say them")
struct SpokenValueTests {
    /// A Sunday; clocks are an hour ahead of UTC in winter, two in summer.
    private static let spoken = SpokenValue(today: SpokenDay(year: 2026, month: 11, day: 22) ?? .first) { day in
        (4...10).contains(day.month) ? 7_200 : 3_600
    }

    private static func read(_ text: String, _ type: String) -> JSONValue? { Self.spoken.read(text, typeName: type) }

    @Test(
        "Days",
        arguments: [
            ("today", "2026-11-22"), ("Tomorrow", "2026-11-23"), ("übermorgen", "2026-11-24"),
            ("the day after tomorrow", "2026-11-24"), ("Friday", "2026-11-27"), ("next friday", "2026-11-27"),
            ("Sonntag", "2026-11-29"), ("am Montag", "2026-11-23"), ("2026-12-03", "2026-12-03"),
            ("3.12.", "2026-12-03"), ("3.2.", "2027-02-03"), ("3.12.2028", "2028-12-03"),
            ("December 3", "2026-12-03"), ("December 3rd, 2027", "2027-12-03"), ("3. Dezember", "2026-12-03"),
            ("the 1st of march", "2027-03-01"), ("29.2.", "2028-02-29"),
        ]
    )
    func readsDays(text: String, day: String) {
        #expect(Self.read(text, "date") == .string(day))
    }

    @Test(
        "Other text is not read as a day",
        arguments: ["30.2.2027", "12/3", "soon", "3", "2026-13-01", "friday week", "."]
    )
    func otherTextIsNoDay(text: String) {
        #expect(Self.read(text, "date") == nil)
    }

    @Test(
        "Times of day",
        arguments: [
            ("7pm", "19:00"), ("7 pm", "19:00"), ("7:30 p.m.", "19:30"), ("12am", "00:00"), ("12 pm", "12:00"),
            ("19.30", "19:30"), ("19:30", "19:30"), ("19:30:15", "19:30:15"), ("19 Uhr", "19:00"),
            ("19 Uhr 30", "19:30"), ("9h05", "09:05"), ("noon", "12:00"), ("Mitternacht", "00:00"),
            ("8 in the evening", "20:00"), ("8 Uhr abends", "20:00"), ("19 Uhr abends", "19:00"),
            ("7:30 morgens", "07:30"), ("12 in the afternoon", "12:00"),
        ]
    )
    func readsTimesOfDay(text: String, time: String) {
        #expect(Self.read(text, "time") == .string(time))
    }

    @Test(
        "Other text is not read as a time",
        arguments: [
            "7", "abends", "19 Uhr morgens", "12 abends", "13pm", "25:00", "19:61", "0 am", "h", "uhr", "19:3", "-1:00",
        ]
    )
    func otherTextIsNoTime(text: String) {
        #expect(Self.read(text, "time") == nil)
    }

    @Test("A date and time carries the time zone's offset on that day")
    func dateTimesCarryOffsetOfTheirDay() {
        #expect(Self.read("tomorrow at 7pm", "dateTime") == "2026-11-23T19:00:00+01:00")
        #expect(Self.read("2027-07-01 19:30", "dateTime") == "2027-07-01T19:30:00+02:00")
        #expect(Self.read("morgen um 19 Uhr 30", "dateTime") == "2026-11-23T19:30:00+01:00")
        #expect(Self.read("tomorrow 7pm", "dateTime") == "2026-11-23T19:00:00+01:00")
        #expect(Self.read("morgen 19 Uhr", "dateTime") == "2026-11-23T19:00:00+01:00")
        #expect(Self.read("7pm tomorrow", "dateTime") == "2026-11-23T19:00:00+01:00")
        #expect(Self.read("um 19 Uhr am Freitag", "dateTime") == "2026-11-27T19:00:00+01:00")
        #expect(Self.read("heute um 8 Uhr abends", "dateTime") == "2026-11-22T20:00:00+01:00")
        #expect(Self.read("tomorrow", "dateTime") == nil)
        #expect(Self.read("at 7pm", "dateTime") == nil)
    }

    @Test(
        "Durations",
        arguments: [
            ("20 min", "PT20M"), ("20min", "PT20M"), ("1 h 30 min", "PT1H30M"), ("1h 30m", "PT1H30M"),
            ("2 hours and 5 minutes", "PT2H5M"), ("1,5 Stunden", "PT1.5H"), ("an hour", "PT1H"),
            ("half an hour", "PT30M"), ("2 weeks 3 days", "P2W3D"), ("zwei Tage", "P2D"),
            ("anderthalb Stunden", "PT1H30M"), ("90 s", "PT90S"),
        ]
    )
    func readsDurations(text: String, duration: String) {
        #expect(Self.read(text, "duration") == .string(duration))
    }

    @Test("Other text is not read as a duration", arguments: ["20", "min", "5 min 1 h", "1 h 2 h", "x min", ""])
    func otherTextIsNoDuration(text: String) {
        #expect(Self.read(text, "duration") == nil)
    }

    @Test(
        "Amounts of money",
        arguments: [
            ("12 USD", "12", "USD"), ("USD 12", "12", "USD"), ("$12", "12", "USD"), ("12,50 €", "12.50", "EUR"),
            ("€ 12.50", "12.50", "EUR"), ("12.50eur", "12.50", "EUR"), ("1.234,50 EUR", "1234.50", "EUR"),
            ("$1,234.50", "1234.50", "USD"), ("20 Euro", "20", "EUR"), ("-3 GBP", "-3", "GBP"), ("12 €", "12", "EUR"),
            ("zwölf Euro", "12", "EUR"), ("five pounds", "5", "GBP"),
        ]
    )
    func readsMoney(text: String, amount: String, code: String) {
        #expect(
            Self.read(text, "currencyAmount") == ["amount": .string(amount), "currencyCode": .string(code)]
        )
    }

    @Test(
        "An amount that could mean two sums, or names no currency, is not guessed",
        arguments: ["1,000 USD", "1.000 EUR", "12", "USD", "12 13 USD", "$12 EUR", "1.2.3 EUR", "12 US"]
    )
    func ambiguousAmountIsNotGuessed(text: String) {
        #expect(Self.read(text, "currencyAmount") == nil)
    }

    @Test("Yes, no and numbers, in English and German")
    func readsYesNoAndNumbersInBothLanguages() {
        #expect(Self.read("Ja", "boolean") == true)
        #expect(Self.read("no", "boolean") == false)
        #expect(Self.read("maybe", "boolean") == nil)
        #expect(Self.read("zwei", "integer") == 2)
        #expect(Self.read("12", "integer") == 12)
        #expect(Self.read("1,5", "number") == 1.5)
        #expect(Self.read("anything", "string") == nil)
    }

    @Test("Days are counted across the ends of months and years, up to the last one")
    func countsDaysOverMonthsAndYears() throws {
        let eve = try #require(SpokenDay(year: 2027, month: 12, day: 31))
        #expect(eve.adding(days: 1)?.text == "2028-01-01")
        #expect(eve.adding(days: 60)?.text == "2028-02-29")
        #expect(eve.weekday == 4)
        #expect(SpokenDay(year: 9_999, month: 12, day: 31)?.adding(days: 1) == nil)
    }
}
