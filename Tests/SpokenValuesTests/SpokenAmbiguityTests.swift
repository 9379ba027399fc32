import IntentKit
import Testing

@testable import SpokenValues

@Suite("Readings in order")
struct SpokenAmbiguityTests {
    @Test(
        "Texts with several readings",
        arguments: [
            // A weekday that is today.
            ("en", "date", "Wednesday", ["2026-12-02", "2026-11-25"]),
            ("de", "date", "Mittwoch", ["2026-12-02", "2026-11-25"]),
            // The next one of a weekday that is still to come this week.
            ("en", "date", "next Friday", ["2026-12-04", "2026-11-27"]),
            ("de", "date", "nächsten Freitag", ["2026-11-27", "2026-12-04"]),
            ("fr", "date", "vendredi prochain", ["2026-11-27", "2026-12-04"]),
            ("es", "date", "el próximo viernes", ["2026-12-04", "2026-11-27"]),
            ("en", "date", "next Monday", ["2026-11-30"]),
            // The number of today.
            ("en", "date", "the 25th", ["2026-11-25", "2026-12-25"]),
            // Day and month in digits.
            ("en", "date", "5/6", ["2027-05-06", "2027-06-05"]),
            ("en-CA", "date", "5/6", ["2027-05-06", "2027-06-05"]),
            ("en-US", "date", "5/6", ["2027-05-06"]), ("en-GB", "date", "5/6", ["2027-06-05"]),
            ("de", "date", "5/6", ["2027-06-05"]), ("en", "date", "13/6", ["2027-06-13"]),
            ("en", "date", "3.12.", ["2026-12-03"]), ("en-US", "date", "3.12.2026", ["2026-12-03"]),
            ("de", "time", "3 am", ["03:00"]), ("en-US", "date", "13/6", ["2027-06-13"]),
            ("en-GB", "date", "6/13", ["2027-06-13"]),
            // Hours: the next to come first; on a day, or for a time alone, that of daytime first.
            ("en", "dateTime", "at 5", ["2026-11-25T17:00:00+01:00", "2026-11-26T05:00:00+01:00"]),
            ("en", "dateTime", "at 9", ["2026-11-25T21:00:00+01:00", "2026-11-26T09:00:00+01:00"]),
            ("en", "dateTime", "tomorrow at 9", ["2026-11-26T09:00:00+01:00", "2026-11-26T21:00:00+01:00"]),
            ("en", "dateTime", "today at 9", ["2026-11-25T21:00:00+01:00", "2026-11-25T09:00:00+01:00"]),
            ("de", "dateTime", "morgen um halb drei", ["2026-11-26T14:30:00+01:00", "2026-11-26T02:30:00+01:00"]),
            ("en", "time", "at 9", ["09:00", "21:00"]), ("en", "time", "at 12", ["12:00", "00:00"]),
            ("en", "dateTime", "Friday at midnight", ["2026-11-28T00:00:00+01:00", "2026-11-27T00:00:00+01:00"]),
            // A point before two digits is of a date or of a time.
            ("de", "dateTime", "10.12", ["2026-11-25T10:12:00+01:00"]), ("de", "date", "10.12", ["2026-12-10"]),
            // One mark before three digits.
            ("en", "number", "1,234", ["1234.0"]), ("en", "number", "1.234", ["1.234", "1234.0"]),
            ("de", "number", "1.234", ["1234.0"]), ("de", "number", "1,234", ["1.234", "1234.0"]),
            ("en", "currencyAmount", "1.234 EUR", ["1234 EUR", "1.234 EUR"]),
            ("de", "currencyAmount", "1,234 EUR", ["1234 EUR", "1.234 EUR"]),
            ("de", "currencyAmount", "1.234 EUR", ["1234 EUR"]),
        ]
    )
    func givesReadingsInOrder(locale: String, type: String, text: String, values: [String]) {
        #expect(SpokenCases.read(text, type, locale) == values)
    }

    @Test("Each reading of an ambiguous text is said in different words")
    func ambiguousReadingsDiffer() {
        for (text, type) in [("Wednesday at 5", "dateTime"), ("5/6", "date"), ("at 9", "time"), ("1.234", "number")] {
            let reading = SpokenCases.reader("en").read(text, as: type)
            #expect(reading.isAmbiguous)
            #expect(Set(reading.candidates.map(\.words)).count == reading.candidates.count)
        }
    }
}
