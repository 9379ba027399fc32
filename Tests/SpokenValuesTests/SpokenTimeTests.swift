import IntentKit
import Testing

@testable import SpokenValues

@Suite("Times of day as people say them")
struct SpokenTimeTests {
    @Test(
        "Times",
        arguments: [
            ("en", "7pm", ["19:00"]), ("en", "7:30 p.m.", ["19:30"]), ("en", "12am", ["00:00"]),
            ("en", "12 pm", ["12:00"]),
            ("en", "noon", ["12:00"]), ("en", "midnight", ["00:00"]), ("en", "19:30", ["19:30"]),
            ("en", "19:30:15", ["19:30:15"]), ("en", "05:30", ["05:30"]), ("en", "8 in the evening", ["20:00"]),
            ("en", "quarter past three", ["15:15", "03:15"]), ("en", "twenty to nine", ["08:40", "20:40"]),
            ("en", "half past 9", ["09:30", "21:30"]), ("en", "9 o'clock", ["09:00", "21:00"]),
            ("en", "at 5", ["17:00", "05:00"]), ("en", "5", ["17:00", "05:00"]), ("en", "5:30", ["17:30", "05:30"]),
            ("en", "ten thirty", ["10:30", "22:30"]), ("en", "at 1030", ["10:30", "22:30"]),
            ("en", "twelve oh three", ["12:03", "00:03"]), ("en", "half three", ["15:30", "03:30"]),
            ("en", "five past noon", ["12:05"]), ("en", "5 to midnight", ["23:55"]), ("en", "around 7pm", ["19:00"]),
            ("en", "1730", ["17:30"]),
            ("de", "19 Uhr", ["19:00"]), ("de", "19 Uhr 30", ["19:30"]), ("de", "19.30", ["19:30"]),
            ("de", "19.30 Uhr", ["19:30"]), ("de", "halb zehn", ["09:30", "21:30"]),
            ("de", "Viertel vor drei", ["14:45", "02:45"]), ("de", "Viertel drei", ["14:15", "02:15"]),
            ("de", "dreiviertel drei", ["14:45", "02:45"]), ("de", "fünf vor halb vier", ["15:25", "03:25"]),
            ("de", "zehn nach acht", ["08:10", "20:10"]), ("de", "8 Uhr abends", ["20:00"]),
            ("de", "um 3", ["15:00", "03:00"]), ("de", "12 Uhr", ["12:00"]), ("de", "zwölf Uhr", ["12:00"]),
            ("de", "5:30", ["05:30"]), ("de", "7:30 morgens", ["07:30"]),
            ("de", "3 Uhr nachts", ["03:00"]), ("de", "mittags", ["12:00"]), ("de", "gegen 15 Uhr", ["15:00"]),
            ("fr", "9h05", ["09:05"]), ("fr", "15h", ["15:00"]), ("fr", "19h56min30s", ["19:56:30"]),
            ("fr", "huit quarante p.m.", ["20:40"]), ("fr", "17 h 30", ["17:30"]), ("fr", "5h", ["05:00"]),
            ("fr", "midi et quart", ["12:15"]),
            ("fr", "minuit moins cinq", ["23:55"]), ("fr", "trois heures moins le quart", ["14:45", "02:45"]),
            ("fr", "huit heures du soir", ["20:00"]), ("fr", "quinze heures trente", ["15:30"]),
            ("fr", "onze heures trois quarts", ["11:45", "23:45"]), ("fr", "à 8h du matin", ["08:00"]),
            ("es", "las tres", ["15:00", "03:00"]), ("es", "a las tres y media", ["15:30", "03:30"]),
            ("es", "las doce menos cuarto", ["11:45", "23:45"]), ("es", "las nueve de la noche", ["21:00"]),
            ("es", "mediodía", ["12:00"]), ("es", "once y cinco pm", ["23:05"]), ("es", "15.30", ["15:30"]),
            ("es", "las seis cero dos pm", ["18:02"]),
            ("es", "la una y diez", ["13:10", "01:10"]),
        ]
    )
    func readsTimes(locale: String, text: String, times: [String]) {
        #expect(SpokenCases.read(text, "time", locale) == times)
    }

    @Test(
        "Text that means no time, or more than a time, is not read",
        arguments: [
            ("en", "13pm"), ("en", "25:00"), ("en", "19:61"), ("en", "0 am"), ("en", "h"), ("en", "19:3"),
            ("en", "-1:00"),
            ("en", "tomorrow at 7pm"), ("en", "in the evening"), ("en", "a few"), ("en", "at a"), ("en", "after 7pm"),
            ("de", "19 Uhr morgens"), ("de", "0 am"), ("en", "5 on"), ("de", "abends"), ("de", "uhr"), ("de", "halb"),
            ("fr", "moins le quart"),
        ]
    )
    func otherTextIsNotRead(locale: String, text: String) {
        #expect(SpokenCases.read(text, "time", locale) == [])
    }
}
