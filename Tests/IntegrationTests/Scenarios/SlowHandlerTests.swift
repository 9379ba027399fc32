import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

/// A handler that never answers blocks nobody longer than it may, and no cancellation.
@Suite struct SlowHandlerTests {
    /// Plays one scenario with an intent whose handler follows the script.
    private static func play(
        _ script: Script,
        confirmation: ModelIntent.Confirmation = .never,
        settings: RuntimeSettings = RuntimeSettings(),
        handlerTimeout: Duration? = nil,
        _ change: @Sendable (inout Scenario) -> Void
    ) async throws -> ScenarioResult {
        let intent = ModelIntent(
            name: "Slow",
            confirmation: confirmation,
            isScripted: true,
            parameters: [ModelParameter(name: "text", kind: .text, isRequired: true)]
        )
        let slow = try Catalogue(intents: [intent]).makeExtension(handlerTimeout: handlerTimeout)
        return try await Pipeline.run(on: .memory, .init(extensions: [slow], partitions: 1, settings: settings)) {
            var scenario = Scenario(name: "slow", userID: "anna", intent: IntentSnapshot(name: "Slow"))
            scenario.service = script.text
            change(&scenario)
            return await ScenarioPlayer($0.client, .init(runID: "test")).play(scenario)
        }
    }

    private static func script(hangingIn stage: Stage) -> Script {
        var script = Script()
        switch stage {
        case .resolve: script.resolve.hangs = true
        case .confirm: script.confirm.hangs = true
        case .handle: script.handle.hangs = true
        }
        return script
    }

    private static func answer(_ value: JSONValue) -> ScenarioStep {
        var step = ScenarioStep(type: "prompt.answered", data: ["value": value])
        step.afterPrompt = 1
        return step
    }

    @Test(arguments: Stage.allCases)
    func isOvertakenByCancellationInSameBatch(_ stage: Stage) async throws {
        let script = Self.script(hangingIn: stage)
        let result = try await Self.play(script) { scenario in
            scenario.intent.parameters = ["text": "hello", "unheardOf": 1]
            scenario.steps = [ScenarioStep(type: "interaction.cancelled")]
            scenario.expect.endReason = "abortedByUser"
            scenario.expect.prompts = []
            scenario.expect.ignoredParameters = ["unheardOf"]
        }
        #expect(result.outcome == .matched)
        #expect(result.duration < .seconds(60))
    }

    @Test(arguments: Stage.allCases)
    func timesOutAfterExtensionsLimitWhateverEventBegan(_ stage: Stage) async throws {
        let script = Self.script(hangingIn: stage)
        let result = try await Self.play(script, handlerTimeout: .milliseconds(500)) { scenario in
            scenario.device = ["id": "phone"]
            if stage == .resolve {
                // The first turn asks without the resolver: the value has the wrong type.
                scenario.intent.parameters["text"] = 7
                scenario.expect.prompts = ["unsupported:text"]
            } else {
                scenario.expect.prompts = ["needsValue:text"]
            }
            scenario.steps = [Self.answer("hello")]
            scenario.expect.endReason = "timeout"
        }
        #expect(result.outcome == .matched)
    }

    @Test func tellsUserThatItTakesLonger() async throws {
        var script = Script()
        // However slow the machine is, the one deadline comes before the other.
        script.handle.hangs = true
        var settings = RuntimeSettings()
        settings.inProgressAfter = .milliseconds(50)
        let result = try await Self.play(script, settings: settings, handlerTimeout: .milliseconds(500)) { scenario in
            scenario.intent.parameters = ["text": "hello"]
            scenario.steps = []
            scenario.expect.endReason = "timeout"
        }
        #expect(result.outcome == .matched)
        #expect(result.transcript.responses.map { $0["status"]?.string } == ["inProgress", "failure"])
    }

    @Test func keepsLaterEventsOfUserInOrder() async throws {
        var script = Script()
        script.confirm.sleep = 200
        let result = try await Self.play(script, confirmation: .always) { scenario in
            var answers = Self.answer("hello")
            answers.repetitions = 3
            var yes = ScenarioStep(type: "prompt.answered")
            yes.afterPrompt = 2
            yes.repetitions = 3
            scenario.steps = [answers, yes]
            scenario.expect.prompts = ["needsValue:text", "intentConfirmation"]
            scenario.expect.rejections = ["duplicate", "duplicate", "duplicate", "duplicate"]
            scenario.expect.code = .named("success")
        }
        #expect(result.outcome == .matched)
    }

    @Test func endsWhenRequestExpires() async throws {
        let result = try await Self.play(Script()) { scenario in
            scenario.expiresAt = (SystemRuntimeClock().now + 3_000).description
            var late = Self.answer("hello")
            late.afterResponse = 1
            scenario.steps = [late]
            scenario.expect.endReason = "timeout"
            scenario.expect.prompts = ["needsValue:text"]
            scenario.expect.rejections = ["expired"]
        }
        #expect(result.outcome == .matched)
    }
}
