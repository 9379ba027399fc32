import IntentEvents
import IntentKit
import IntentScenarios
import Testing

/// Scenario files are read with everything that is wrong in them.
@Suite struct ScenarioFileTests {
    @Test func reportsLineAndFieldOfEveryProblem() {
        let file = ScenarioFile(
            parsing: Array(
                """
                {"name":"good","user":"anna","intent":{"name":"X"}}

                {"name":"bad","user":"","intent":{"parameters":[]},"expects":{},"choices":{"a":true}}
                {"name":"good","user":{"id":"anna","authorization":"denied"},"intent":{"name":"X"}}
                {"name":"steps","user":"u","intent":{"name":"X"},"steps":[{"type":"prompt.answered"},{"data":{}}]}
                not json
                """
                .utf8
            )
        )
        #expect(file.entries.map(\.line) == [1])
        let locations = file.problems.map { "\($0.line) \($0.field)" }
        let expected: Set = [
            "3 expects", "3 user", "3 intent.parameters", "3 intent.name", "3 choices.a", "4 name", "5 steps[0]",
            "5 steps[1].type", "6 ",
        ]
        #expect(Set(locations) == expected)
        #expect(file.problems.map(\.line) == file.problems.map(\.line).sorted())
    }

    @Test func readsWhatItWrites() throws {
        let text = """
            {"answers":{"a":[1,{"b":null}]},"choices":{"c":2,"d":"blue"},"confirmations":[{"action":"decline",\
            "corrections":{"a":1}},{"action":"accept"}],"device":{"id":"phone","locked":true},"expect":{"code":null,\
            "endReason":"declined","parameters":{"a":1},"prompts":["needsValue:a"],"rejections":["late"],\
            "started":["taxi"],"status":"failure"},"expiresAt":"2026-11-21T10:00:00Z","groupIdentifier":"g","intent":{"name":"X",\
            "parameters":{"a":1}},"locale":"cs-CZ","name":"n","service":"failure","steps":[{"afterPrompt":1,\
            "data":{"value":3},"from":"bob","prompt":1,"repeat":2,"subject":"other","type":"prompt.answered"}],\
            "timeZone":"Europe/Prague","user":{"authenticated":false,"id":"anna"},"volunteered":{"e":true}}
            """
        let file = ScenarioFile(parsing: Array(text.utf8))
        #expect(file.problems == [])
        let scenario = try #require(file.entries.first?.scenario)
        #expect(scenario.json == (try JSONValue(parsing: text)))
    }
}
