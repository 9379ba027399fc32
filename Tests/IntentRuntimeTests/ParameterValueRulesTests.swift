import IntentKit
import IntentRuntime
import Testing
import WireDocuments
import WireRules

@Suite("R11: descriptions of values agree with their parsers")
struct ParameterValueRulesTests {
    private static let examples: [JSONValue] = [
        .null, true, 5, 5.5, "", "Jeff", "9007199254740993", "-5", "007", "1e3", "2026-11-21", "2026-13-01",
        "2026-11-21T13:30:00+01:00", "2026-11-21T13:30Z", "2026-11-21T13:30", "2026-11-21T25:00Z", "13:30", "13:30:15",
        "13:30:15.5", "24:00", "PT20M", "P1W2DT3H", "P", "PT", "P20M", "P1DT", "PT1.5S", [], ["a"], [:],
        ["amount": "12.50", "currencyCode": "EUR"], ["amount": 12, "currencyCode": "eur"],
        ["amount": 12.5, "currencyCode": "EUR"], ["amount": "12,50", "currencyCode": "EUR"],
        ["amount": "1", "currencyCode": "EURO"], ["amount": "1"],
        ["spokenPhrase": "Jeff"], ["displayName": "Jeff", "handle": ["value": "j@x", "type": "emailAddress"]],
        ["name": "Home"], ["name": "Home", "latitude": 52.5, "longitude": 13], ["latitude": 52.5],
        ["start": "2026-11-21"], ["start": "2026-11-21T13:30:00Z", "end": "2026-11-22"], ["start": "noon"],
        ["spokenPhrase": "Run", "identifier": "run"], ["identifier": "run"],
    ]

    @Test(
        "Each type reads what its description allows, and nothing else",
        arguments: ParameterValueRules.all.map(\.type)
    )
    func typesReadWhatTheyDescribe(type: String) throws {
        let types: [any ParameterValue.Type] = [
            String.self, Bool.self, Int.self, Double.self, CalendarDate.self, TimeOfDay.self, OffsetDateTime.self,
            TimeSpan.self, INCurrencyAmount.self, INPerson.self, Placemark.self, INDateComponentsRange.self,
            INSpeakableString.self,
        ]
        let swift = try #require(types.first { $0.typeName == type })
        let rule = try #require(ParameterValueRules.all.first { $0.type == type }).rule
        for example in Self.examples {
            let isRead = swift.init(json: example) != nil
            let isDescribed = rule.problem(in: example, .received) == nil
            // That at least one member must be present is stated in words: any of them is enough.
            if let members = example.object, !members.keys.contains(where: Self.atLeastOne[type, default: []].contains),
                Self.atLeastOne[type] != nil
            {
                #expect(!isRead)
                continue
            }
            #expect(isRead == isDescribed, "\(type): \(example)")
        }
    }

    private static let atLeastOne: [String: Set<String>] = [
        INPerson.typeName: ["spokenPhrase", "displayName", "identifier", "handle"],
        INDateComponentsRange.typeName: ["start", "end"],
    ]
}
