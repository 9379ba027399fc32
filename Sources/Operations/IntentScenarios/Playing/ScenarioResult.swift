package import IntentEvents
internal import IntentKit

/// The result of a scenario that was played.
package struct ScenarioResult: Sendable {
    package var scenario: Scenario
    package var interactionID: InteractionID
    package var outcome: ScenarioOutcome
    /// The events that came back.
    package var transcript: ConversationTranscript
    package var duration: Duration
    /// The prompts in the form of an expectation.
    package var promptNames: [String]

    package init(
        scenario: Scenario,
        interactionID: InteractionID,
        outcome: ScenarioOutcome,
        transcript: ConversationTranscript,
        duration: Duration
    ) {
        self.scenario = scenario
        self.interactionID = interactionID
        self.outcome = outcome
        self.transcript = transcript
        self.duration = duration
        self.promptNames = transcript.promptNames
    }

    /// What was probably a mistake in the scenario's events, where the scenario does not say what it expects (R79).
    package var notes: [String] {
        self.scenario.expect.warnings == nil ? self.transcript.warnings.compactMap { $0["detail"]?.string } : []
    }
}
