import DeclaredIntents
import IntentKit
import Testing

@Suite("R50: names in files of prompts")
struct PromptFileTests {
    @Test("The names of intents, parameters and placeholders are collected with their paths")
    func collectsNamesWithTheirPaths() {
        let file = PromptFile([
            "intents": [
                "LogSet": [
                    "title": "Log a set",
                    "parameters": ["reps": ["title": "repetitions"], "exercise": ["title": "exercise"]],
                ],
                "Empty": [:],
            ]
        ])
        #expect(file.problems.isEmpty)
        let names = file.namings.map { "\($0.intent) \($0.parameter ?? "-") \($0.isSaid) \($0.path)" }
        #expect(
            names == [
                "Empty - false intents.Empty", "LogSet - false intents.LogSet",
                "LogSet exercise false intents.LogSet.parameters.exercise",
                "LogSet reps false intents.LogSet.parameters.reps",
            ]
        )
    }
}
