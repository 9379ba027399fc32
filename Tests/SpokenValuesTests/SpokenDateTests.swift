import IntentKit
import Testing

@testable import SpokenValues

@Suite("Days as people say them")
struct SpokenDateTests {
    @Test(
        "English",
        arguments: [
            ("today", "2026-11-25"), ("Tomorrow!", "2026-11-26"), ("the day after tomorrow", "2026-11-27"),
            ("yesterday", "2026-11-24"), ("Friday", "2026-11-27"), ("on Friday", "2026-11-27"), ("sat.", "2026-11-28"),
            ("this Friday", "2026-11-27"), ("last Friday", "2026-11-20"), ("Friday after next", "2026-12-04"),
            ("Friday week", "2026-12-04"), ("Monday of next week", "2026-11-30"), ("December 3", "2026-12-03"),
            ("December 3rd, 2027", "2027-12-03"), ("3 Dec", "2026-12-03"), ("the third of December", "2026-12-03"),
            ("the twenty-first of February", "2027-02-21"), ("Thursday, 3 December", "2026-12-03"),
            ("Thursday the 3rd", "2026-12-03"), ("the 3rd", "2026-12-03"), ("the first Sunday", "2026-12-06"),
            ("last Sunday", "2026-11-22"), ("30th", "2026-11-30"),
            ("31st", "2026-12-31"), ("29 February", "2028-02-29"), ("2026-12-03", "2026-12-03"),
            ("31/Dec/2026", "2026-12-31"), ("Dec-3", "2026-12-03"), ("2026/Dec/03", "2026-12-03"),
            ("in three days", "2026-11-28"), ("in a fortnight", "2026-12-09"),
            ("two weeks ago", "2026-11-11"), ("a month from today", "2026-12-25"), ("in 2 years", "2028-11-25"),
            ("three days after Christmas", "2026-12-28"), ("two Sundays from now", "2026-12-06"),
            ("last Monday of March", "2027-03-29"), ("the second Tuesday in December", "2026-12-08"),
            ("last day of February 2028", "2028-02-29"), ("the 5th of next month", "2026-12-05"),
            ("Christmas", "2026-12-25"), ("Easter 2027", "2027-03-28"), ("Good Friday", "2027-03-26"),
            ("next new year's day", "2027-01-01"), ("Thanksgiving", "2026-11-26"),
            ("december the fifth twenty twenty-seven", "2027-12-05"), ("the first of the month", "2026-12-01"),
            ("the day before Christmas", "2026-12-24"), ("a week from Monday", "2026-12-07"),
            ("tomorrow week", "2026-12-03"), ("Friday the 13th", "2027-08-13"),
        ]
    )
    func readsEnglish(text: String, day: String) {
        #expect(SpokenCases.read(text, "date", "en-GB") == [day])
    }

    @Test(
        "German",
        arguments: [
            ("heute", "2026-11-25"), ("morgen", "2026-11-26"), ("übermorgen", "2026-11-27"),
            ("uebermorgen", "2026-11-27"), ("vorgestern", "2026-11-23"), ("am Freitag", "2026-11-27"),
            ("diesen Samstag", "2026-11-28"), ("letzten Montag", "2026-11-23"), ("übernächsten Freitag", "2026-12-04"),
            ("Montag nächste Woche", "2026-11-30"), ("3.12.", "2026-12-03"), ("3.12.2028", "2028-12-03"),
            ("am 3.2.", "2027-02-03"), ("3. Dezember", "2026-12-03"), ("dritter Dezember", "2026-12-03"),
            ("am dreißigsten", "2026-11-30"), ("der 1. März", "2027-03-01"), ("1. Maerz 27", "2027-03-01"),
            ("Donnerstag, den 03.12.2026", "2026-12-03"), ("in zwei Wochen", "2026-12-09"),
            ("vor drei Tagen", "2026-11-22"), ("Freitag in zwei Wochen", "2026-12-11"),
            ("letzter Sonntag im März", "2027-03-28"), ("der letzte Tag im Februar 2028", "2028-02-29"),
            ("Heiligabend", "2026-12-24"), ("Pfingstmontag", "2027-05-17"), ("zwei Tage nach Ostern", "2027-03-30"),
            ("vierter Advent", "2026-12-20"), ("29.2.", "2028-02-29"), ("fuenfter Dezember", "2026-12-05"),
            ("Dienstag in einer Woche", "2026-12-08"),
            ("erster Montag im Monat", "2026-12-07"), ("in einem halben Jahr", "2027-05-25"),
            ("am zweiten Weihnachtstag", "2026-12-26"),
        ]
    )
    func readsGerman(text: String, day: String) {
        #expect(SpokenCases.read(text, "date", "de-DE") == [day])
    }

    @Test(
        "French",
        arguments: [
            ("aujourd'hui", "2026-11-25"), ("demain", "2026-11-26"), ("après-demain", "2026-11-27"),
            ("avant-hier", "2026-11-23"), ("vendredi", "2026-11-27"), ("lundi en huit", "2026-12-07"),
            ("le 3 décembre", "2026-12-03"), ("le 1er mars", "2027-03-01"), ("3/12", "2026-12-03"),
            ("03 12 2026", "2026-12-03"), ("jeudi 3 décembre 2026", "2026-12-03"), ("le 3", "2026-12-03"),
            ("dans quinze jours", "2026-12-10"), ("il y a une semaine", "2026-11-18"),
            ("dimanche dernier", "2026-11-22"),
            ("mardi de la semaine prochaine", "2026-12-01"), ("dernier jour de février 2028", "2028-02-29"),
            ("premier lundi de mars", "2027-03-01"), ("Noël", "2026-12-25"), ("lundi de Pâques", "2027-03-29"),
        ]
    )
    func readsFrench(text: String, day: String) {
        #expect(SpokenCases.read(text, "date", "fr-FR") == [day])
    }

    @Test(
        "Spanish",
        arguments: [
            ("hoy", "2026-11-25"), ("mañana", "2026-11-26"), ("pasado mañana", "2026-11-27"),
            ("anteayer", "2026-11-23"),
            ("el viernes", "2026-11-27"), ("el viernes pasado", "2026-11-20"), ("el 3 de diciembre", "2026-12-03"),
            ("tres de diciembre de 2027", "2027-12-03"), ("primero de marzo", "2027-03-01"), ("3/12", "2026-12-03"),
            ("jueves, 3 de diciembre", "2026-12-03"), ("en dos semanas", "2026-12-09"),
            ("hace tres días", "2026-11-22"),
            ("lunes de la semana que viene", "2026-11-30"), ("Nochebuena", "2026-12-24"), ("el día tres", "2026-12-03"),
        ]
    )
    func readsSpanish(text: String, day: String) {
        #expect(SpokenCases.read(text, "date", "es-ES") == [day])
    }

    @Test(
        "Text that means no day, or more than a day, is not read",
        arguments: [
            "soon", "30.2.2027", "2026-13-01", "Feb 30", "32nd", ".", "-", "the", "tomorrow at 7pm", "next week",
            "March", "tomorrow evening", "Friday Saturday", "tomorrow and Friday", "on", "every Monday", "not Friday",
            "Friday or Saturday", "the 3rd or 4th", "3 o'clock",
            "tomorrow banana", "Monday 31 February", "Tuesdays",
        ]
    )
    func otherTextIsNotRead(text: String) {
        #expect(SpokenCases.read(text, "date", "en-GB") == [])
    }

    @Test(
        "Some holidays depend on the region",
        arguments: [
            ("en", "Mother's Day", "2027-05-09"), ("en-GB", "Mother's Day", "2027-03-07"),
            ("de", "Muttertag", "2027-05-09"),
            ("fr", "fête des mères", "2027-05-30"), ("es-MX", "día de la madre", "2027-05-10"),
            ("en-AU", "Father's Day", "2027-09-05"), ("de-DE", "Vatertag", "2027-05-06"),
            ("de-AT", "Vatertag", "2027-06-13"), ("en-CA", "Thanksgiving", "2027-10-11"),
            ("en-US", "Independence Day", "2027-07-04"), ("en-IN", "Independence Day", "2027-08-15"),
            ("fr-BE", "fête nationale", "2027-07-21"),
        ]
    )
    func readsHolidaysOfRegion(locale: String, text: String, day: String) {
        #expect(SpokenCases.read(text, "date", locale) == [day])
        #expect(SpokenCases.read("Independence Day", "date", "en-GB") == [])
    }

    @Test("English is read where the user's language does not read a text")
    func readsEnglishAfterOwnLanguage() {
        #expect(SpokenCases.read("tomorrow", "date", "de-DE") == ["2026-11-26"])
        #expect(SpokenCases.read("tomorrow", "date", "ja-JP") == ["2026-11-26"])
        #expect(SpokenCases.read("übermorgen", "date", "en-GB") == [])
        let german = SpokenReader(
            locale: "en",
            languages: ["en", "de"],
            now: SpokenCases.now,
            zone: SpokenCases.berlin
        )
        #expect(german.read("übermorgen", as: "date").candidates.map(\.words) == ["Friday, 27 November 2026"])
        #expect(german.read("übermorgen", as: "date").language == "de")
    }
}
