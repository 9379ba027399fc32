import IntentKit

/// Values that a user might say, made up for a check.
enum SampleValues {
    /// Values of a parameter's type that its definition accepts, the plainest first.
    static func of(_ parameter: ParameterDefinition) -> [JSONValue] {
        if let values = parameter.values { return Array(values.prefix(5)) }
        let bounds = [parameter.minimum, parameter.maximum].compactMap { $0 }
        return (bounds + Self.of(parameter.type))
            .filter { value in
                var said: JSONValue? = parameter.isList ? [value] : value
                return parameter.outcomeBeforeService(&said, .nobody) == nil
            }
    }

    private static func of(_ type: DeclaredType) -> [JSONValue] {
        switch type {
        case .string:
            [
                "intentd", "an intent's \"service\", \\ and {more}", "\u{1F34B} \u{03A9} \u{65E5}\u{672C}", "12:30",
                "0",
                .string(String(repeating: "long ", count: 400)),
            ]
        case .integer: [1, 0, -1, 9_007_199_254_740_993]
        case .number: [1, 0.5, -1e300]
        case .boolean: [true, false]
        case .date: ["2026-12-03", "2028-02-29"]
        case .time: ["12:30", "00:00", "23:59:59"]
        case .dateTime: ["2026-12-03T12:30:00+01:00", "2026-12-03T12:30:00Z"]
        case .duration: ["PT20M", "P1DT2H"]
        case .currencyAmount: [["amount": "12.50", "currencyCode": "EUR"], ["amount": "0", "currencyCode": "USD"]]
        case .person: [["spokenPhrase": "Jeff"], ["spokenPhrase": "\u{65E5}\u{672C}", "identifier": "p-7"]]
        case .place: [["name": "Market Street"], ["name": "Pole", "latitude": 90, "longitude": 0]]
        }
    }
}
