import IntentEvents
import IntentKit
import IntentRuntime
import IntentScenarios

/// A scenario with the model's expected result.
struct GeneratedScenario: Sendable {
    /// The seed of the run.
    var seed: UInt64
    /// The scenario's number in the run.
    var number: Int
    /// The scenario.
    var scenario: Scenario
    /// The expected result.
    var expected: ModelConversation

    /// The differences between the expected and the actual result, in words; empty when there are none.
    func differences(from result: ScenarioResult) -> [String] {
        var differences: [String] = []
        switch result.outcome {
        case .matched: break
        case .mismatched(let words): differences += words
        case .executionError(let message): differences.append(message)
        }
        let transcript = result.transcript
        let prompts = transcript.prompts.map(ModelPrompt.line(of:))
        let expected = self.expected.prompts.map(\.line)
        for index in 0..<max(prompts.count, expected.count) {
            let came = prompts.indices.contains(index) ? prompts[index] : "nothing"
            let wanted = expected.indices.contains(index) ? expected[index] : "nothing"
            if came != wanted { differences.append("prompt \(index + 1): expected \(wanted), came \(came)") }
        }
        let warnings = (transcript.terminal?["warnings"]?.array ?? []).compactMap { $0["member"]?.string }
        let isOrderly = ["nominal", "failed", "declined"].contains(self.expected.end?.endReason)
        if self.expected.saysMistake, isOrderly, !warnings.contains("valeu") {
            differences.append("warnings: expected valeu, came \(warnings)")
        }
        if let end = self.expected.end { differences += end.differences(from: transcript.terminal ?? .null) }
        return differences
    }

    /// How to reproduce it: its seed and the scenario itself.
    var description: String { "seed \(self.seed), scenario \(self.number): \(self.scenario.json)" }
}
