@testable import DeclaredIntents
import IntentKit
import IntentLab
import Testing
import WireRules

@Suite("R61: arbitrary answers of a service")
struct ServiceAnswerFuzzTests {
    private static let good: JSONValue = [
        "parameters": [
            "flavour": ["outcome": "confirmationRequired", "value": "lime", "reason": "soldOut"],
            "toppings": [
                ["outcome": "success", "value": "ice"], ["outcome": "disambiguation", "options": ["mint", "myrtle"]],
            ],
            "cups": ["outcome": "unsupported"],
        ]
    ]

    @Test("An answer to resolve becomes an outcome that the stage accepts, or an error with a path", arguments: 0..<20)
    func everyAnswerIsOutcomeOrErrorWithPath(seed: UInt64) throws {
        let file = DefinitionFile([
            "name": "OrderLemonade", "parameters": ServedIntent.parameters,
            "handler": ["service": ["url": "http://127.0.0.1:1"]],
        ])
        let definition = try #require(file.definitions.first)
        let intent = IntentSnapshot(name: "OrderLemonade", parameters: ["flavour": "li", "toppings": ["ice", "m"]])
        let reader = ResolutionReader(parameters: definition.parameters, intent: intent)
        var numbers = SeededNumbers(seed: seed)
        var (taken, refused) = (0, 0)
        for _ in 0..<500 {
            let answer = Self.changed(Self.good, &numbers)
            do throws(ValueRule.Problem) {
                let outcomes = try reader.outcomes(in: answer)
                taken += 1
                #expect(Set(outcomes.keys) == ["flavour", "toppings", "cups"])
                for (name, outcome) in outcomes {
                    let isList = name == "toppings"
                    guard case .perValue(let all) = outcome else { continue }
                    #expect(isList && all.count == 2, "\(answer)")
                }
                // What the journal stores is parsed to the same value.
                let again = try? JSONValue(parsing: answer.utf8)
                #expect(again == answer)
            } catch {
                refused += 1
                #expect(error.path.first == "parameters" && !error.text.isEmpty, "\(answer)")
            }
        }
        #expect(taken > 0 && refused > 0)
    }

    private static func changed(_ value: JSONValue, _ numbers: inout SeededNumbers) -> JSONValue {
        let odd: [JSONValue] = [
            .null, true, 7, -1.5, "", "lime", "success", "needsValue", "notRequired", [], [:], [.null],
            ["outcome": "needsValue"], ["outcome": "success", "value": ["ice", "mint"]], ["outcome": 7],
        ]
        if Int.random(in: 0..<14, using: &numbers) == 0 { return odd.randomElement(using: &numbers) ?? .null }
        switch value {
        case .array(var elements):
            for index in elements.indices { elements[index] = Self.changed(elements[index], &numbers) }
            if Int.random(in: 0..<10, using: &numbers) == 0 {
                elements.append(odd.randomElement(using: &numbers) ?? .null)
            }
            return .array(elements)
        case .object(var members):
            for name in members.keys { members[name] = Self.changed(members[name] ?? .null, &numbers) }
            if Int.random(in: 0..<10, using: &numbers) == 0, let name = members.keys.randomElement(using: &numbers) {
                members[name] = nil
            }
            return .object(members)
        case .null, .bool, .integer, .number, .string: return value
        }
    }
}
