package import IntentEvents

/// The result of a scenario that was played.
package struct ScenarioResult: Sendable {
    package var scenario: Scenario
    package var interactionID: InteractionID
    package var outcome: ScenarioOutcome
    /// The events that came back.
    package var transcript: ConversationTranscript
    package var duration: Duration

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
    }
}
