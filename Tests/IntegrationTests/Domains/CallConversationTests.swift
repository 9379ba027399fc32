import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import SiriKitIntents
import Testing

/// Calls through all stages, with guesses and questions.
@Suite struct CallConversationTests {
    /// Plays a scenario over an address book, with an empty log or with the demo's.
    private static func play(isLogEmpty: Bool = false, _ change: (inout Scenario) -> Void) async throws
        -> ScenarioResult
    {
        let intent = IntentSnapshot(name: "INStartCallIntent", parameters: ["destinationType": "redial"])
        var scenario = Scenario(name: "call", userID: "anna", intent: intent)
        change(&scenario)
        let extensions = [CallsExtension.make()]
        return try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) {
            [scenario] pipeline in
            try await pipeline.ledger.addDemoData(of: extensions, for: ["anna"], run: "test")
            if isLogEmpty {
                _ = try await pipeline.ledger.perform(EffectKey(request: "log", name: "log", ordinal: 0)) { store in
                    try store.execute("DELETE FROM calls", [])
                    return .null
                }
            }
            return await ScenarioPlayer(pipeline.client, .init(runID: "test")).play(scenario)
        }
    }

    @Test("behaviours 15 and 36: without a name, the call log says whom to call, and the app gets it (66)")
    func guessesContactFromCallLog() async throws {
        let result = try await Self.play { scenario in
            scenario.expect.prompts = []
            scenario.expect.code = .named("continueInApp")
            scenario.expect.status = "deferredToApplication"
        }
        #expect(result.outcome == .matched)
        let activity = result.transcript.terminal?["userActivity"]
        #expect(activity?["activityType"] == "INStartCallIntent", "behaviour 61")
        #expect(activity?["userInfo"]?["contacts"]?.array?.first?["handle"]?["value"] == "diana@unicorn.example")
        #expect(result.transcript.terminal?["intent"]?["parameters"]?["contacts"]?.array?.count == 1)
    }

    @Test("R20: without a call log nobody can be guessed, and the prompt says why")
    func emptyCallLogOffersNoGuess() async throws {
        let result = try await Self.play(isLogEmpty: true) { scenario in
            scenario.answers["contacts"] = "Scott"
            scenario.expect.prompts = ["unsupported:contacts"]
            scenario.expect.code = .named("continueInApp")
        }
        #expect(result.outcome == .matched)
    }

    @Test("R29: the code userConfirmationRequired asks the user, and a yes continues the call")
    func confirmationCodeAsksUser() async throws {
        let result = try await Self.play { scenario in
            scenario.intent.parameters["destinationType"] = "emergency"
            scenario.confirmations = [ScenarioConfirmation(.accept)]
            scenario.expect.prompts = ["intentConfirmation"]
            scenario.expect.code = .named("continueInApp")
        }
        #expect(result.outcome == .matched)
    }
}
