internal import IntentKit
package import WireRules

/// The forms of parameters' values on the wire, by the names of their types (R11).
///
/// The intent decides which parameter has which type; a value of another type is `unsupported` to the user, not an
/// error (R25).
package enum ParameterValueRules {
    /// The forms by type.
    package static let all: [(type: String, rule: ValueRule)] = [
        (String.typeName, .text(.any)),
        (Bool.typeName, .boolean),
        (Int.typeName, .either([.integer(), .text(Self.digits)])),
        (Double.typeName, .number),
        (CalendarDate.typeName, .text(Self.date)),
        (TimeOfDay.typeName, .text(Self.time)),
        (OffsetDateTime.typeName, .text(Self.dateTime)),
        (TimeSpan.typeName, .text(Self.duration)),
        (INCurrencyAmount.typeName, Self.amount),
        (INPerson.typeName, .either([.text(.any), Self.person])),
        (Placemark.typeName, .either([.text(.any), Self.place])),
        (INDateComponentsRange.typeName, Self.dateRange),
        (INSpeakableString.typeName, .either([.text(.any), Self.speakableString])),
    ]

    private static let digits = TextForm(
        "digits, for whole numbers beyond 2^53",
        pattern: "^(0|-?[1-9][0-9]*)$"
    ) { Int(json: .string($0)) != nil }

    private static let date = TextForm("a date such as 2026-11-21", pattern: "^\(Self.datePattern)$") {
        CalendarDate($0) != nil
    }

    private static let time = TextForm("a time of day such as 13:30", pattern: "^\(Self.timePattern)$") {
        TimeOfDay($0) != nil
    }

    private static let dateTime = TextForm(
        "a date and time with its offset such as 2026-11-21T13:30:00+01:00",
        pattern: "^\(Self.dateTimePattern)$"
    ) { OffsetDateTime($0) != nil }

    private static let duration = TextForm(
        "a duration such as PT20M",
        pattern: #"^P(?=.)([0-9.]+W)?([0-9.]+D)?(T(?=.)([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?$"#
    ) { TimeSpan($0) != nil }

    private static let datePattern = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    private static let timePattern = #"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?"#
    private static let dateTimePattern = "\(datePattern)[Tt]\(timePattern)([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"

    private static let amount = ValueRule.members([
        .required(
            "amount",
            .either([
                .text(
                    TextForm("a decimal number such as 12.50", pattern: #"^-?[0-9]+(\.[0-9]+)?$"#) {
                        INCurrencyAmount(amount: $0, currencyCode: "EUR") != nil
                    }
                ), .integer(),
            ]),
            "The amount: a decimal number in text, never a float."
        ),
        .required(
            "currencyCode",
            .text(
                TextForm("a currency code such as EUR", pattern: "^[A-Za-z]{3}$") {
                    INCurrencyAmount(amount: "1", currencyCode: $0) != nil
                }
            ),
            "The currency's ISO 4217 code."
        ),
    ])

    private static let person = ValueRule.members([
        .optional("spokenPhrase", .text(.any), "The spoken phrase."),
        .optional("displayName", .text(.any), "The name to show."),
        .optional("identifier", .text(.any), "The app's own identifier, once the person is known."),
        .optional(
            "handle",
            .members([
                .optional("value", .text(.any), "The address itself."),
                .optional("type", .oneOf(INPersonHandle.Kind.self), "The kind of address."),
                .optional("label", .text(.any), "The user's label: home, work."),
            ]),
            "The person's address."
        ),
    ])

    private static let place = ValueRule.members([
        .required("name", .text(.any), "The user's name for the place, or its address."),
        .optional("latitude", .number, "Degrees north."),
        .optional("longitude", .number, "Degrees east."),
    ])

    private static let dateRange = ValueRule.members([
        .optional("start", .either([.text(Self.date), .text(Self.dateTime)]), "The start; open if absent."),
        .optional("end", .either([.text(Self.date), .text(Self.dateTime)]), "The end; open if absent."),
    ])

    private static let speakableString = ValueRule.members([
        .required("spokenPhrase", .text(.any), "The spoken phrase."),
        .optional("identifier", .text(.any), "The app's identifier for it, once known."),
    ])
}
