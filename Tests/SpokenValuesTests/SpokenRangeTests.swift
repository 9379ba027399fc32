import IntentKit
import Testing

@testable import SpokenValues

@Suite("Ranges of time as people say them")
struct SpokenRangeTests {
    @Test(
        "Periods, ranges of days, and parts of days",
        arguments: [
            ("en", "next week", "2026-11-30/2026-12-06"), ("en", "this month", "2026-11-01/2026-11-30"),
            ("en", "March", "2027-03-01/2027-03-31"), ("en", "in 2028", "2028-01-01/2028-12-31"),
            ("en", "13 to 15 July", "2027-07-13/2027-07-15"), ("en", "July 13-15", "2027-07-13/2027-07-15"),
            ("en", "from the 13th to the 15th", "2026-12-13/2026-12-15"),
            ("en", "Friday to Sunday", "2026-11-27/2026-11-29"),
            ("en", "28 December to 3 January", "2026-12-28/2027-01-03"), ("en", "tomorrow", "2026-11-26/2026-11-26"),
            ("en", "the next three days", "2026-11-26/2026-11-28"), ("en", "the last 2 weeks", "2026-11-09/2026-11-22"),
            ("en", "this summer", "2027-06-21/2027-09-23"), ("en", "early March", "2027-03-01/2027-03-10"),
            ("en", "first week of March 2027", "2027-03-01/2027-03-07"),
            ("en", "third quarter 2027", "2027-07-01/2027-09-30"),
            ("en", "after 3 December", "2026-12-04/"), ("en", "from 3 December", "2026-12-03/"),
            ("en", "before 3 December", "/2026-12-02"), ("en", "until 3 December", "/2026-12-03"),
            ("en", "3 December for 5 days", "2026-12-03/2026-12-07"),
            ("de", "nächste Woche", "2026-11-30/2026-12-06"), ("de", "14. - 15.10.", "2027-10-14/2027-10-15"),
            ("de", "vom 14.10. bis zum 15.10.2028", "2028-10-14/2028-10-15"), ("de", "ab 3.12.", "2026-12-03/"),
            ("de", "die nächsten drei Tage", "2026-11-26/2026-11-28"), ("de", "Ende März", "2027-03-21/2027-03-31"),
            ("fr", "la semaine prochaine", "2026-11-30/2026-12-06"),
            ("fr", "du 13 au 15 juillet", "2027-07-13/2027-07-15"),
            ("fr", "entre le 13 et le quinze juillet", "2027-07-13/2027-07-15"),
            ("es", "la semana que viene", "2026-11-30/2026-12-06"),
            ("es", "del 13 al 15 de julio", "2027-07-13/2027-07-15"),
            ("es", "este verano", "2027-06-21/2027-09-23"),
            ("en", "tomorrow evening", "2026-11-26T18:00:00+01:00/2026-11-27T00:00:00+01:00"),
            ("en", "3-4pm", "2026-11-25T15:00:00+01:00/2026-11-25T16:00:00+01:00"),
            ("en", "from 10:30 to 11:15 on Friday", "2026-11-27T10:30:00+01:00/2026-11-27T11:15:00+01:00"),
            ("en", "tomorrow 10pm to 2am", "2026-11-26T22:00:00+01:00/2026-11-27T02:00:00+01:00"),
            ("en", "10-12", "2026-11-26T10:00:00+01:00/2026-11-26T12:00:00+01:00"),
            ("en", "9 to 5", "2026-11-26T09:00:00+01:00/2026-11-26T17:00:00+01:00"),
            ("en", "since Monday", "2026-11-23/"),
            ("en", "in the morning", "2026-11-25T00:00:00+01:00/2026-11-25T12:00:00+01:00"),
            ("de", "am 5. von 9 bis 11", "2026-12-05T09:00:00+01:00/2026-12-05T11:00:00+01:00"),
            ("de", "spätestens Freitag", "/2026-11-27"),
            ("de", "heute Nacht", "2026-11-25T22:00:00+01:00/2026-11-26T06:00:00+01:00"),
            ("fr", "demain jusqu'à 16h", "2026-11-26T00:00:00+01:00/2026-11-26T16:00:00+01:00"),
            ("fr", "avant vendredi", "/2026-11-26"),
            ("fr", "le 3 jusqu'à 16h", "2026-12-03T00:00:00+01:00/2026-12-03T16:00:00+01:00"),
            ("es", "de 9 a 5", "2026-11-26T09:00:00+01:00/2026-11-26T17:00:00+01:00"),
            ("en", "after 2pm", "2026-11-25T14:00:00+01:00/"),
            (
                "en", "from 4pm for thirty minutes",
                "2026-11-25T16:00:00+01:00/2026-11-25T16:30:00+01:00"
            ),
            ("en", "by 2pm", "2026-11-25T10:00:00+01:00/2026-11-25T14:00:00+01:00"),
            ("de", "Donnerstag von 9:30 bis 11:00", "2026-11-26T09:30:00+01:00/2026-11-26T11:00:00+01:00"),
            ("de", "morgen Nachmittag", "2026-11-26T12:00:00+01:00/2026-11-26T19:00:00+01:00"),
            ("de", "Donnerstagabend", "2026-11-26T18:00:00+01:00/2026-11-27T00:00:00+01:00"),
            ("de", "bis spätestens 17 Uhr", "/2026-11-25T17:00:00+01:00"),
            ("fr", "demain de 9h à 11h", "2026-11-26T09:00:00+01:00/2026-11-26T11:00:00+01:00"),
            ("fr", "ce soir", "2026-11-25T18:00:00+01:00/2026-11-26T00:00:00+01:00"),
            ("es", "mañana por la tarde", "2026-11-26T12:00:00+01:00/2026-11-26T21:00:00+01:00"),
        ]
    )
    func readsRanges(locale: String, text: String, range: String) {
        #expect(SpokenCases.read(text, "dateRange", locale).first == range)
    }

    @Test(
        "Text that is one time, or no range, is not read",
        arguments: [
            "7pm", "at 5", "quarter past", "5/6/7", "tomorrow at 15h", "Saturday 13 to Sunday 15 July", "3", "from",
            "to", "- 3",
            "soon",
        ]
    )
    func otherTextIsNotRead(text: String) {
        #expect(SpokenCases.read(text, "dateRange", "en") == [])
    }
}
