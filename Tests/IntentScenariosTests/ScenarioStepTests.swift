import IntentEvents
import IntentKit
import Testing

@testable import IntentScenarios

@Suite("The next step of a scenario's user")
struct ScenarioStepTests {
    @Test("An answer waits for its prompt, unless it names the prompt itself; other events wait for what they name")
    func answersWaitForTheirPrompt() {
        var step = ScenarioStep(type: "prompt.answered")
        step.afterPrompt = 3
        #expect((step.answeredPrompt, step.requiredPrompts) == (3, 3))
        step.prompt = 1
        #expect((step.answeredPrompt, step.requiredPrompts) == (1, 3))
        step.prompt = 5
        #expect((step.answeredPrompt, step.requiredPrompts) == (5, 5))
        step.data = ["promptId": "else"]
        #expect((step.answeredPrompt, step.requiredPrompts) == (nil, 3))
        var other = ScenarioStep(type: "device.unlocked")
        #expect((other.answeredPrompt, other.requiredPrompts) == (nil, 0))
        other.afterPrompt = 2
        other.prompt = 1
        #expect((other.answeredPrompt, other.requiredPrompts) == (nil, 2))
    }

    private static func scenario(_ change: (inout Scenario) -> Void) -> ScenarioAnswers {
        var scenario = Scenario(name: "n", userID: "u1", intent: IntentSnapshot(name: "X"))
        change(&scenario)
        return ScenarioAnswers(scenario)
    }

    private static func prompt(_ kind: String, _ more: JSONObject = [:]) -> JSONValue {
        var prompt: JSONObject = ["kind": .string(kind), "parameter": "p"]
        prompt.merge(more) { $1 }
        return .object(prompt)
    }

    @Test("A choice is found by any of an option's names, by the option itself, or by its index")
    func findsChoiceByNameOptionOrIndex() {
        let options: JSONValue = [
            "plain", ["displayName": "Kim"], ["spokenPhrase": "Family"], ["name": "Home"], ["value": "v"],
            ["identifier": "id-1"], 7, true,
        ]
        let names = ["PLAIN", "kim", "fámily", "home", "V", "ID-1", "7", "true"]
        for (index, name) in names.enumerated() {
            var answers = Self.scenario { $0.choices["p"] = .text(name) }
            let answer = answers.answer(to: Self.prompt("disambiguation", ["options": options]))
            #expect(answer == ["action": "accept", "choice": .integer(Int64(index))], "\(name)")
        }
        var answers = Self.scenario { $0.choices["p"] = .index(1) }
        let prompt = Self.prompt("disambiguation", ["options": ["a", "b"]])
        #expect(answers.answer(to: prompt) == ["action": "accept", "choice": 1])
        #expect(answers.answer(to: Self.prompt("disambiguation", ["options": ["a"]])) == nil)
        answers = Self.scenario {
            $0.choices["p"] = .text("c")
            $0.answers["p"] = "said"
        }
        #expect(answers.answer(to: prompt) == ["action": "accept", "value": "said"])
    }

    @Test("R71: a choice is found by what the user sees of an option, by its place, and as the value in question")
    func findsChoiceByDisplay() {
        let displays: JSONValue = [["title": "Bello", "subtitle": "Poodle"], ["title": "Minka", "synonyms": ["cat"]]]
        let prompt = Self.prompt("disambiguation", ["options": ["p-7", "p-9"], "optionDisplays": displays])
        for (text, index) in [("Bello", 0), ("poodle", 0), ("minka", 1), ("Cat", 1), ("2", 1)] as [(String, Int64)] {
            var answers = Self.scenario { $0.choices["p"] = .text(text) }
            #expect(answers.answer(to: prompt) == ["action": "accept", "choice": .integer(index)], "\(text)")
        }
        var answers = Self.scenario { $0.choices["p"] = .text("minka") }
        let item = Self.prompt("confirmationRequired", ["item": "p-9", "itemDisplay": ["title": "Minka"]])
        #expect(answers.answer(to: item) == ["action": "accept"])
        let other = Self.prompt("confirmationRequired", ["item": "p-7", "itemDisplay": ["title": "Bello"]])
        #expect(answers.answer(to: other) == nil)
    }

    @Test("A proposed value is confirmed if it is the chosen one, or answered with yes or no")
    func confirmsOrAnswersProposedValue() {
        let prompt = Self.prompt("confirmationRequired", ["item": ["name": "Home"]])
        var answers = Self.scenario { $0.choices["p"] = .text("home") }
        #expect(answers.answer(to: prompt) == ["action": "accept"])
        answers = Self.scenario { $0.choices["p"] = .index(0) }
        #expect(answers.answer(to: prompt) == ["action": "accept"])
        answers = Self.scenario { $0.answers["p"] = false }
        #expect(answers.answer(to: prompt) == ["action": "decline"])
        answers = Self.scenario { $0.answers["p"] = "Office" }
        #expect(answers.answer(to: prompt) == ["action": "accept", "value": "Office"])
        // What is asked about a truth is answered with the truth.
        answers = Self.scenario { $0.answers["p"] = false }
        let truth = Self.prompt("confirmationRequired", ["item": true])
        #expect(answers.answer(to: truth) == ["action": "accept", "value": false])
    }

    @Test("Confirmations are given in order, and volunteered values go with the first answer")
    func confirmationsKeepOrderAndCarryVolunteeredValues() {
        var answers = Self.scenario {
            $0.confirmations = [ScenarioConfirmation(.decline, corrections: ["a": 1]), ScenarioConfirmation(.accept)]
            $0.volunteered = ["a": 0, "b": 2]
        }
        #expect(answers.answer(to: Self.prompt("unlockRequired")) == nil)
        let first = answers.answer(to: Self.prompt("intentConfirmation"))
        #expect(first == ["action": "decline", "corrections": ["a": 1, "b": 2]])
        #expect(answers.answer(to: Self.prompt("intentConfirmation")) == ["action": "accept"])
        #expect(answers.answer(to: Self.prompt("intentConfirmation")) == nil)
    }

    @Test("A scenario's confirmations are read in order, with their corrections")
    func readsConfirmationsInOrder() throws {
        let text = """
            {"name":"n","user":"u","intent":{"name":"X"},"confirmations":[{"action":"decline","corrections":{"a":1}},\
            {"action":"accept"}]}
            """
        let scenario = try #require(ScenarioFile(parsing: Array(text.utf8)).entries.first?.scenario)
        let expected = [ScenarioConfirmation(.decline, corrections: ["a": 1]), ScenarioConfirmation(.accept)]
        #expect(scenario.confirmations == expected)
    }
}
