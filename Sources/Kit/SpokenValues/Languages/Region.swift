/// What a locale's region decides.
struct Region {
    enum DateOrder { case dayFirst, monthFirst, either }

    /// The code of the country, such as `GB`.
    let code: String?
    let dateOrder: DateOrder
    let marks: NumberMarks
    /// The currency of `$`.
    let dollar: String
    /// The currency of cents without another one.
    let currency: String
    /// Whether times are said with twelve hours.
    let saysTwelveHours: Bool

    /// The region of a locale such as `en-GB` or `es_MX`, for a language.
    init(locale: String, language: Language) {
        let parts = locale.split { $0 == "-" || $0 == "_" }.map { $0.uppercased() }
        let region = parts.dropFirst()
            .first { $0.utf8.count == 2 || $0.utf8.count == 3 && $0.utf8.allSatisfy(Self.isDigit) }
        self.code = region
        let isOwnLanguage = parts.first == language.code.uppercased()
        self.dateOrder =
            switch (language.code, region) {
            case ("en", "US"?), ("en", "PH"?), ("en", "BZ"?), ("en", "PW"?), ("en", "GU"?), ("en", "PR"?): .monthFirst
            case ("en", nil), ("en", "CA"?): isOwnLanguage || parts.isEmpty ? .either : .dayFirst
            default: .dayFirst
            }
        self.marks =
            switch (language.code, region) {
            case (_, "CH"?), (_, "LI"?): NumberMarks(decimal: ".", groups: ["'", " "])
            case ("es", let region?) where Self.pointRegions.contains(region): NumberMarks(decimal: ".", groups: [","])
            case ("en", "ZA"?): NumberMarks(decimal: ".", groups: [",", " "])
            default: language.habits.marks
            }
        self.dollar = region.flatMap { Self.dollars[$0] } ?? "USD"
        self.currency =
            region.flatMap { Self.dollars[$0] ?? Self.currencies[$0] }
            ?? (language.code == "en" ? "USD" : "EUR")
        self.saysTwelveHours = language.code == "en" && region == "US"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    /// Regions of Spanish that write a point before the fraction.
    private static let pointRegions: Set<String> = [
        "MX", "US", "PR", "GT", "HN", "NI", "SV", "DO", "PA", "PE", "419",
    ]

    /// Regions whose own currency is written `$`.
    private static let dollars = [
        "US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "MX": "MXN", "AR": "ARS",
        "CL": "CLP", "CO": "COP", "UY": "UYU", "JM": "JMD", "TT": "TTD", "BZ": "BZD", "BB": "BBD", "BS": "BSD",
        "TW": "TWD", "NA": "NAD", "FJ": "FJD", "DO": "DOP",
    ]

    private static let currencies = [
        "GB": "GBP", "IE": "EUR", "CH": "CHF", "LI": "CHF", "IN": "INR", "ZA": "ZAR", "PE": "PEN", "BO": "BOB",
        "PY": "PYG", "CR": "CRC", "GT": "GTQ", "HN": "HNL", "NI": "NIO", "VE": "VES", "PH": "PHP",
    ]
}
