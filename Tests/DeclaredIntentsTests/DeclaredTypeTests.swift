import DeclaredIntents
import IntentKit
import Testing

@Suite("R50: the types of declared parameters")
struct DeclaredTypeTests {
    @Test(
        "A value of the type is accepted in its canonical form",
        arguments: [
            ("string", "Paris", "Paris"), ("integer", 4, 4), ("integer", "9007199254740993", "9007199254740993"),
            ("number", 2.5, 2.5), ("number", 3, 3), ("boolean", false, false), ("date", "2028-02-29", "2028-02-29"),
            ("time", "13:30", "13:30"), ("dateTime", "2026-11-21T13:30:00+01:00", "2026-11-21T13:30:00+01:00"),
            ("duration", "PT20M", "PT20M"),
            (
                "currencyAmount", ["amount": "12.50", "currencyCode": "eur"],
                ["amount": "12.50", "currencyCode": "EUR"]
            ),
            ("person", "Diana", ["spokenPhrase": "Diana"]), ("place", "Home", ["name": "Home"]),
        ] as [(String, JSONValue, JSONValue)]
    )
    func acceptsTypedValuesInCanonicalForm(type: String, value: JSONValue, expected: JSONValue) async throws {
        let fixture = try DeclaredFixture(parameters: [["name": "p", "type": .string(type)]])
        #expect(try await fixture.resolve(value) == .single(.success(expected)))
        #expect(fixture.registration.parameters[0].accepts(value))
        #expect(fixture.registration.parameters[0].typeName == type)
    }

    @Test(
        "R25: a value of another type is unsupported, not an error",
        arguments: [
            ("string", 4), ("integer", 4.5), ("integer", "four"), ("number", "2.5"), ("boolean", 1),
            ("date", "2026-02-29"), ("time", "25:00"), ("dateTime", "2026-11-21T13:30:00"), ("duration", "20 min"),
            ("currencyAmount", ["amount": 12.5, "currencyCode": "EUR"]), ("person", 4), ("place", ["latitude": 91]),
        ] as [(String, JSONValue)]
    )
    func wrongTypeIsUnsupported(type: String, value: JSONValue) async throws {
        let fixture = try DeclaredFixture(parameters: [["name": "p", "type": .string(type)]])
        #expect(try await fixture.resolve(value) == .single(.refused(.wrongType)))
        #expect(!fixture.registration.parameters[0].accepts(value))
    }

    @Test(
        "R21: a missing required value is asked for, an optional one is not",
        arguments: [nil, .null, "", " "] as [JSONValue?]
    )
    func asksForMissingRequiredValue(value: JSONValue?) async throws {
        let required = try DeclaredFixture(parameters: [["name": "p", "type": "string", "required": true]])
        #expect(try await required.resolve(value) == .single(.needsValue))
        let optional = try DeclaredFixture(parameters: [["name": "p", "type": "string"]])
        #expect(try await optional.resolve(value) == .single(.notRequired))
    }

    @Test("`any` accepts every value, whatever other rules say")
    func anyTypeAcceptsEveryValue() async throws {
        let fixture = try DeclaredFixture(parameters: [
            ["name": "p", "type": "integer", "minimum": 1, "any": "dontcare"]
        ])
        #expect(try await fixture.resolve("dontcare") == .single(.success("dontcare")))
        #expect(try await fixture.resolve("Don tCare") == .single(.success("dontcare")))
        #expect(fixture.registration.parameters[0].accepts("dontcare"))
        #expect(try await fixture.resolve("whatever") == .single(.refused(.wrongType)))
    }

    @Test(
        "Values outside minimum and maximum are unsupported with a reason",
        arguments: [
            ("integer", 1, 5, 0, 6, 5), ("number", 0.5, 1, 0.4, 1.1, 0.5),
            ("date", "2026-01-01", "2026-12-31", "2025-12-31", "2027-01-01", "2026-12-31"),
            ("time", "09:00", "17:00", "08:59:59", "17:00:01", "17:00:00"),
            (
                "dateTime", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", "2026-11-21T12:59:00+01:00",
                "2026-11-21T13:00:01Z", "2026-11-21T14:00:00+01:00"
            ),
            ("duration", "PT5M", "PT1H", "PT299S", "PT61M", "PT60M"),
            (
                "currencyAmount", ["amount": "1", "currencyCode": "EUR"], ["amount": "99.99", "currencyCode": "EUR"],
                ["amount": "0.99", "currencyCode": "EUR"], ["amount": "100", "currencyCode": "EUR"],
                ["amount": "99.990", "currencyCode": "EUR"]
            ),
        ] as [(String, JSONValue, JSONValue, JSONValue, JSONValue, JSONValue)]
    )
    func refusesValuesOutsideBounds(
        type: String,
        minimum: JSONValue,
        maximum: JSONValue,
        below: JSONValue,
        above: JSONValue,
        inside: JSONValue
    ) async throws {
        let fixture = try DeclaredFixture(parameters: [
            ["name": "p", "type": .string(type), "minimum": minimum, "maximum": maximum]
        ])
        #expect(try await fixture.resolve(below) == .single(.refused(.belowMinimum)))
        #expect(try await fixture.resolve(above) == .single(.refused(.aboveMaximum)))
        #expect(try await fixture.resolve(inside) == .single(.success(inside)))
    }

    @Test("behaviour 20: Swiss francs are unsupported where only euros are accepted")
    func refusesUndeclaredCurrency() async throws {
        let fixture = try DeclaredFixture(parameters: [
            ["name": "p", "type": "currencyAmount", "minimum": ["amount": "1", "currencyCode": "EUR"]]
        ])
        let francs: JSONValue = ["amount": "5", "currencyCode": "CHF"]
        #expect(try await fixture.resolve(francs) == .single(.refused(.currencyNotSupported)))
    }

    @Test("A pattern has to match the whole text")
    func patternMatchesWholeText() async throws {
        let fixture = try DeclaredFixture(parameters: [["name": "p", "type": "string", "pattern": "a|[0-9]{3}"]])
        for text in ["a", "123"] {
            #expect(try await fixture.resolve(.string(text)) == .single(.success(.string(text))))
        }
        for text in ["ab", "1234", "x123", "123\n"] {
            #expect(try await fixture.resolve(.string(text)) == .single(.refused(.patternMismatch)))
        }
    }

    @Test("R20: a list has one outcome for each value, in the same order")
    func listHasOneOutcomePerValue() async throws {
        let fixture = try DeclaredFixture(parameters: [
            ["name": "p", "type": "string", "list": true, "required": true, "values": ["checking", "savings"]]
        ])
        #expect(fixture.registration.parameters[0].isList)
        #expect(
            try await fixture.resolve(["Savings", "cheking", "gold bars", 4])
                == .perValue([
                    .success("savings"), .disambiguation(["checking"]), .refused(.notAmongValues), .refused(.wrongType),
                ])
        )
        #expect(try await fixture.resolve([]) == .single(.needsValue))
        #expect(try await fixture.resolve(nil) == .single(.needsValue))
        #expect(try await fixture.resolve("savings") == .single(.refused(.wrongType)))
    }
}
