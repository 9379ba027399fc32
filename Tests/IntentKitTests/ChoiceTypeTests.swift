import IntentKit
import Testing

@Suite("R71: values of every type can be options")
struct ChoiceTypeTests {
    private static let types: [(any ParameterValue.Type, [JSONValue])] = [
        (String.self, ["a", "b"]), (Int.self, [1, 2]), (Double.self, [1.5, 2.0]), (Bool.self, [true, false]),
        (ParameterValueTests.Equipment.self, ["barbell", "dumbbell"]),
        (CalendarDate.self, ["2026-11-21", "2026-11-22"]), (TimeOfDay.self, ["13:30", "14:00"]),
        (OffsetDateTime.self, ["2026-11-21T13:30Z", "2026-11-21T14:00Z"]), (TimeSpan.self, ["PT20M", "PT40M"]),
        (INCurrencyAmount.self, [["amount": "1", "currencyCode": "EUR"], ["amount": "2", "currencyCode": "EUR"]]),
        (INPerson.self, [["spokenPhrase": "Ann"], ["spokenPhrase": "Bob"]]),
        (Placemark.self, [["name": "Home"], ["name": "Work"]]),
        (INDateComponentsRange.self, [["start": "2026-11-21"], ["start": "2026-11-22"]]),
        (INSpeakableString.self, [["spokenPhrase": "Run"], ["spokenPhrase": "Walk"]]),
    ]

    private func choice<Value: ParameterValue>(_ type: Value.Type, _ values: [JSONValue]) -> ResolutionOutcome {
        ParameterResolution<Value, NoReason>.disambiguation(with: values.compactMap { Value(json: $0) }).outcome
    }

    @Test("A resolver can offer values of any type (behaviour 23)")
    func everyScalarTypeCanBeChosen() {
        for (type, values) in Self.types {
            #expect(self.choice(type, values) == .choosing(among: values), "\(type)")
        }
    }
}
