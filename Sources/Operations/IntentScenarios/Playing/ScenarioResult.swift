package import IntentEvents

/// The result of a scenario that was played.
package struct ScenarioResult: Sendable {
    /// The scenario.
    package var scenario: Scenario
    /// The id that its interaction had.
    package var interactionID: InteractionID
    /// The outcome.
    package var outcome: ScenarioOutcome
    /// The events that came back.
    package var transcript: ConversationTranscript
    /// How long it took.
    package var duration: Duration

    /// Creates a result.
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
