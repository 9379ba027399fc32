import IntentKit
import Testing

@testable import SpokenValues

@Suite("Points in time as people say them")
struct SpokenDateTimeTests {
    @Test(
        "A day and a time in either order, and distances from now",
        arguments: [
            ("en", "tomorrow at 7pm", "2026-11-26T19:00:00+01:00"), ("en", "7pm tomorrow", "2026-11-26T19:00:00+01:00"),
            ("en", "at 19:30 on Friday", "2026-11-27T19:30:00+01:00"),
            ("en", "Friday evening at 8", "2026-11-27T20:00:00+01:00"),
            ("en", "2027-07-01 19:30", "2027-07-01T19:30:00+02:00"),
            ("en", "2027-07-01T19:30", "2027-07-01T19:30:00+02:00"),
            ("en", "July 1st, 2027, 7 PM", "2027-07-01T19:00:00+02:00"),
            ("en", "3 Dec 2026 - 6:37am", "2026-12-03T06:37:00+01:00"),
            ("en", "the 3rd, 8pm", "2026-12-03T20:00:00+01:00"),
            ("en", "3, 8pm", "2026-12-03T20:00:00+01:00"),
            ("fr", "19 heures du dimanche 29", "2026-11-29T19:00:00+01:00"),
            ("en", "noon", "2026-11-25T12:00:00+01:00"),
            ("en", "now", "2026-11-25T10:00:00+01:00"), ("en", "in 20 minutes", "2026-11-25T10:20:00+01:00"),
            ("en", "in an hour and a half", "2026-11-25T11:30:00+01:00"),
            ("en", "two hours ago", "2026-11-25T08:00:00+01:00"), ("en", "tonight at 8", "2026-11-25T20:00:00+01:00"),
            ("en", "this afternoon at 3:20", "2026-11-25T15:20:00+01:00"),
            ("en", "Thursday 8:00 AM GMT", "2026-11-26T08:00:00+00:00"),
            ("en", "twenty to three in the afternoon", "2026-11-25T14:40:00+01:00"),
            ("de", "morgen um 19 Uhr 30", "2026-11-26T19:30:00+01:00"),
            ("de", "heute 14 Uhr", "2026-11-25T14:00:00+01:00"),
            ("de", "Freitag 9:30", "2026-11-27T09:30:00+01:00"), ("de", "3.12. 19.30", "2026-12-03T19:30:00+01:00"),
            ("de", "morgen früh um 8", "2026-11-26T08:00:00+01:00"),
            ("de", "in zwei Stunden", "2026-11-25T12:00:00+01:00"),
            ("de", "in einer Viertelstunde", "2026-11-25T10:15:00+01:00"),
            ("de", "heute Abend um halb neun", "2026-11-25T20:30:00+01:00"),
            ("de", "um 19 Uhr am Freitag", "2026-11-27T19:00:00+01:00"),
            ("de", "morgen Mittag", "2026-11-26T12:00:00+01:00"), ("fr", "demain à 11h", "2026-11-26T11:00:00+01:00"),
            ("fr", "jeudi à midi", "2026-11-26T12:00:00+01:00"),
            ("fr", "vendredi 27 à 16h", "2026-11-27T16:00:00+01:00"),
            ("fr", "dans deux heures", "2026-11-25T12:00:00+01:00"),
            ("fr", "demain à trois heures et demie de l'après-midi", "2026-11-26T15:30:00+01:00"),
            ("es", "mañana a las ocho de la tarde", "2026-11-26T20:00:00+01:00"),
            ("es", "el viernes a las 15:30", "2026-11-27T15:30:00+01:00"),
            ("es", "en una hora", "2026-11-25T11:00:00+01:00"),
        ]
    )
    func readsPoints(locale: String, text: String, point: String) {
        #expect(SpokenCases.read(text, "dateTime", locale) == [point])
    }

    @Test(
        "Text without a time, or with two, is not read",
        arguments: ["tomorrow", "Friday", "7pm 8pm", "next week", "in 15", "the 24th 26", "Friday 13"]
    )
    func otherTextIsNotRead(text: String) {
        #expect(SpokenCases.read(text, "dateTime", "en") == [])
    }

    @Test("A time that clocks skip moves forward by as much")
    func skippedTimeMovesForward() {
        let reading = SpokenCases.reader("en-GB").read("28 March 2027 at 02:30", as: "dateTime")
        #expect(reading.candidates.map(\.value) == ["2027-03-28T03:30:00+02:00"])
        #expect(reading.candidates.map(\.note) == [.skippedTime])
    }

    @Test("A time that clocks show twice has two candidates, in order")
    func repeatedTimeHasTwoCandidates() {
        let reading = SpokenCases.reader("de").read("31.10.2027 02:30", as: "dateTime")
        #expect(reading.candidates.map(\.value) == ["2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00"])
        #expect(reading.candidates.map(\.note) == [.repeatedTime, .repeatedTime])
        #expect(Set(reading.candidates.map(\.words)).count == 2)
    }

    @Test("Hours are added on the time line, days on the calendar")
    func hoursAndDaysDifferWhenClocksChange() {
        // 2027-03-27T09:00:00Z, the day before clocks are put forward.
        let now = 1_806_138_000
        #expect(SpokenCases.read("in 24 hours", "dateTime", "en", now: now) == ["2027-03-28T11:00:00+02:00"])
        #expect(SpokenCases.read("tomorrow at 10:00 am", "dateTime", "en", now: now) == ["2027-03-28T10:00:00+02:00"])
        #expect(SpokenCases.read("in a day", "date", "en", now: now) == ["2027-03-28"])
    }

    @Test("The machine's zone database gives the same instants as the rule")
    func zoneDatabaseAgreesWithRule() throws {
        let zone = try #require(ZoneRules(identifier: "Europe/Berlin"))
        for hour in 0..<24 * 400 {
            let instant = SpokenCases.now + hour * 3_600
            try #require(zone.offset(instant) == SpokenCases.berlin.offset(instant))
        }
        #expect(ZoneRules(identifier: "Europe/Nowhere") == nil)
    }
}
