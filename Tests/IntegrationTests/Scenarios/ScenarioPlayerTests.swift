import DeclaredIntents
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

/// The player answers from a scenario, and reports differences.
@Suite struct ScenarioPlayerTests {
    private static let definitions: JSONValue = [
        "intents": [
            [
                "name": "Travel", "confirmation": "always",
                "parameters": [
                    [
                        "name": "class", "type": "string", "required": true,
                        "values": ["Red line", "Red arrow", "Coach"],
                    ],
                    ["name": "days", "type": "integer", "list": true, "required": true, "minimum": 1],
                    ["name": "meal", "type": "boolean", "default": false],
                ],
            ]
        ]
    ]

    /// Plays lines of a scenario file in memory.
    private static func play(
        _ lines: String,
        timeout: Duration = .seconds(60),
        idleTimeout: Duration = .seconds(15)
    ) async throws -> [ScenarioResult] {
        let file = ScenarioFile(parsing: Array(lines.utf8))
        #expect(file.problems == [])
        let definitions = DefinitionFile(Self.definitions)
        #expect(definitions.problems.isEmpty)
        let declared = IntentExtension("declared") { definitions.definitions.map { $0.makeRegistration() } }
        return try await Pipeline.run(on: .memory, .init(extensions: [declared], partitions: 2)) { pipeline in
            var configuration = ScenarioPlayer.Configuration(runID: "test")
            configuration.timeout = timeout
            configuration.idleTimeout = idleTimeout
            return await ScenarioPlayer(pipeline.client, configuration).play(file.entries.map(\.scenario))
        }
    }

    private static func differences(_ result: ScenarioResult) -> [String] {
        switch result.outcome {
        case .matched: []
        case .mismatched(let differences): differences
        case .executionError(let message): [message]
        }
    }

    @Test func answersByNameChoiceAndCorrection() async throws {
        let results = try await Self.play(
            """
            {"name":"choice by text","user":"a","intent":{"name":"Travel","parameters":{"class":"red","days":[0,3]}},\
            "choices":{"class":"RED ARROW"},"answers":{"days":2},"volunteered":{"meal":true},\
            "confirmations":[{"action":"decline","corrections":{"days":[5]}},{"action":"accept"}],\
            "expect":{"code":"success","parameters":{"class":"Red arrow","days":[5],"meal":true},\
            "prompts":["disambiguation:class","unsupported:days","intentConfirmation","intentConfirmation"]}}
            {"name":"choice by index","user":"a","intent":{"name":"Travel","parameters":{"class":"red","days":1}},\
            "choices":{"class":0},"confirmations":[{"action":"decline"}],\
            "expect":{"endReason":"declined","prompts":["disambiguation:class","intentConfirmation"]}}
            {"name":"yes to the one that is near","user":"b","service":"failure",\
            "intent":{"name":"Travel","parameters":{"class":"Coah","days":1}},"answers":{"class":true},\
            "confirmations":[{"action":"accept"}],"expect":{"code":"failure","endReason":"failed",\
            "parameters":{"class":"Coach","days":[1],"meal":false},\
            "prompts":["confirmationRequired:class","intentConfirmation"]}}
            """
        )
        for result in results { #expect(Self.differences(result) == [], "\(result.scenario.name)") }
    }

    @Test func reportsDifferences() async throws {
        let results = try await Self.play(
            """
            {"name":"no answer","user":"a","intent":{"name":"Travel","parameters":{}},"answers":{"days":1}}
            {"name":"all wrong","user":"a","intent":{"name":"Travel","parameters":{"class":"Coach","days":[1]}},\
            "confirmations":[{"action":"accept"}],"expect":{"code":"failure","status":"failure","endReason":"failed",\
            "parameters":{"class":"Bus","days":[1],"x":2},"prompts":[]}}
            """
        )
        #expect(
            Self.differences(results[0]) == [
                #"prompt 1, needsValue:class among ["Red line","Red arrow","Coach"]: the scenario has no answer to it"#
            ]
        )
        #expect(results[0].transcript.terminal?["endReason"] == "abortedByUser")
        #expect(
            Self.differences(results[1]) == [
                "code: expected failure, got success", "status: expected failure, got success",
                "endReason: expected failed, got nominal", "prompts: expected [], got [intentConfirmation]",
                "parameters.class: expected \"Bus\", got \"Coach\"", "parameters.meal: expected nothing, got false",
                "parameters.x: expected 2, got nothing",
            ]
        )
    }

    @Test func sendsSteps() async throws {
        let results = try await Self.play(
            """
            {"name":"steps","user":"a","intent":{"name":"Travel","parameters":{"days":[1]}},"steps":[\
            {"type":"prompt.answered","afterPrompt":1,"from":"b"},\
            {"type":"intent.requested"},\
            {"type":"prompt.answered","afterPrompt":1,"data":{"value":"Coach"},"repeat":3},\
            {"type":"prompt.answered","afterPrompt":2,"prompt":1,"data":{"action":"cancel"}},\
            {"type":"prompt.answered","afterPrompt":2,"data":{"action":"cancel"},"repeat":2},\
            {"type":"interaction.cancelled","afterResponse":1}],\
            "expect":{"endReason":"abortedByUser","prompts":["needsValue:class","intentConfirmation"],\
            "rejections":["duplicate","duplicate","duplicate","duplicate","late","notYours"]}}
            {"name":"never due","user":"a","intent":{"name":"Nobody"},\
            "steps":[{"type":"prompt.answered","afterPrompt":1}],"expect":{"endReason":"unsupportedIntent"}}
            """
        )
        #expect(Self.differences(results[0]) == [])
        #expect(Self.differences(results[1]) == ["step 1 waits for prompt 1, which was not issued"])
    }

    @Test func endsInTime() async throws {
        let results = try await Self.play(
            """
            {"name":"nobody answers","user":"a","intent":{"name":"Travel"},"steps":[]}
            """,
            timeout: .milliseconds(300)
        )
        #expect(results[0].outcome == .executionError("no end within 0.3 s; prompts so far: [needsValue:class]"))
        #expect(results[0].transcript.terminal?["endReason"] == "abortedByUser")
    }

    /// A conversation that hangs reports its state when nothing comes any more, long before its time is up.
    @Test func reportsWhereItIsStuck() async throws {
        let results = try await Self.play(
            """
            {"name":"nobody answers","user":"a","intent":{"name":"Travel"},"steps":[]}
            """,
            idleTimeout: .seconds(1)
        )
        let expected =
            "is stuck after prompt 1 (needsValue:class): no event for 1 s; prompts so far: [needsValue:class]"
        #expect(results[0].outcome == .executionError(expected))
    }
}
