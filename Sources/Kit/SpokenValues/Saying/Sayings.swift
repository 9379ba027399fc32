/// The words in which a language says values.
struct Sayings: Sendable {
    let weekdays: [String]
    let months: [String]
    /// With `{w}` for the weekday, `{d}`, `{m}` and `{y}`.
    let date: String
    /// The first day of a month, if it is not a plain number.
    var firstDay: String?
    /// With `{date}` and `{time}`.
    let dateTime: String
    /// After a time.
    var timeMark = ""
    /// With `{a}` and `{b}`.
    let range: String
    /// Times of one day, with `{date}`, `{a}` and `{b}`.
    let times: String
    let start: String
    let end: String
    /// One and several, from seconds to weeks.
    let units: [(TimeUnit, String, String)]
    let and: String
    let yes: String
    let no: String
    /// Whether a currency is before its amount.
    var saysCurrencyFirst = false

    static let english = Self(
        weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
        date: "{w}, {d} {m} {y}",
        dateTime: "{date} at {time}",
        range: "from {a} to {b}",
        times: "{date}, {a} to {b}",
        start: "from {a}",
        end: "until {b}",
        units: [
            (.week, "week", "weeks"), (.day, "day", "days"), (.hour, "hour", "hours"), (.minute, "minute", "minutes"),
            (.second, "second", "seconds"),
        ],
        and: "and",
        yes: "yes",
        no: "no",
        saysCurrencyFirst: true
    )

    static let german = Self(
        weekdays: ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember",
        ],
        date: "{w}, {d}. {m} {y}",
        dateTime: "{date}, {time}",
        timeMark: " Uhr",
        range: "von {a} bis {b}",
        times: "{date}, {a} bis {b}",
        start: "ab {a}",
        end: "bis {b}",
        units: [
            (.week, "Woche", "Wochen"), (.day, "Tag", "Tage"), (.hour, "Stunde", "Stunden"),
            (.minute, "Minute", "Minuten"), (.second, "Sekunde", "Sekunden"),
        ],
        and: "und",
        yes: "ja",
        no: "nein"
    )

    static let french = Self(
        weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        months: [
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
            "novembre", "décembre",
        ],
        date: "{w} {d} {m} {y}",
        firstDay: "1er",
        dateTime: "{date} à {time}",
        range: "du {a} au {b}",
        times: "{date} de {a} à {b}",
        start: "à partir du {a}",
        end: "jusqu'au {b}",
        units: [
            (.week, "semaine", "semaines"), (.day, "jour", "jours"), (.hour, "heure", "heures"),
            (.minute, "minute", "minutes"), (.second, "seconde", "secondes"),
        ],
        and: "et",
        yes: "oui",
        no: "non"
    )

    static let spanish = Self(
        weekdays: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ],
        date: "{w}, {d} de {m} de {y}",
        dateTime: "{date} a las {time}",
        range: "desde el {a} hasta el {b}",
        times: "{date} de {a} a {b}",
        start: "desde el {a}",
        end: "hasta el {b}",
        units: [
            (.week, "semana", "semanas"), (.day, "día", "días"), (.hour, "hora", "horas"),
            (.minute, "minuto", "minutos"), (.second, "segundo", "segundos"),
        ],
        and: "y",
        yes: "sí",
        no: "no"
    )
}
