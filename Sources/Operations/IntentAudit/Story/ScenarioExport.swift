package import IntentEvents
internal import IntentKit
package import IntentRecords
package import IntentScenarios

/// An interaction as a scenario that `intentd test` plays: what the user said, and what resulted from it (R46).
package struct ScenarioExport: Sendable {
    package let scenario: Scenario
    /// What a scenario cannot express, in words.
    package let warnings: [String]

    /// Creates a scenario from a story; nil when its request is not recorded.
    package init?(_ story: InteractionStory) {
        let turns = TurnAccount.all(of: story)
        guard let request = story.events.first(where: { $0.position == story.interaction.position })?.event,
            let name = request.data["intent"]?["name"]?.string
        else { return nil }
        var warnings: [String] = []
        var scenario = Scenario(
            name: story.interaction.interactionID?.text ?? story.interaction.request.text,
            userID: request.userID,
            intent: IntentSnapshot(name: name, parameters: request.data["intent"]?["parameters"]?.object ?? [:])
        )
        scenario.userDetails = request.data["user"]?.object ?? [:]
        scenario.userDetails["id"] = nil
        scenario.locale = request.data["locale"]?.string
        scenario.timeZone = request.data["timeZone"]?.string
        scenario.device = request.data["device"]
        scenario.groupIdentifier = request.data["groupIdentifier"]?.string
        scenario.service = request.passedThrough[EventHeaderName.script]
        if request.data["expiresAt"]?.string != nil {
            warnings.append("The request's expiresAt is left out: that time has passed.")
        }
        let responses = story.events.filter { $0.position.topic == .responses }
        if let answers = NamedAnswers(turns) {
            answers.write(to: &scenario)
        } else {
            let steps = Steps(turns, device: scenario.device)
            warnings += steps.warnings
            scenario.steps = steps.steps
        }
        scenario.expect = Self.expectation(responses)
        if !turns.contains(where: { $0.record.outcome == .ended }) {
            warnings.append("The interaction has not ended: the scenario expects no end.")
        }
        self.scenario = scenario
        self.warnings = warnings
    }

    private static func expectation(_ responses: [RecordedEvent]) -> ScenarioExpectation {
        var expect = ScenarioExpectation()
        // One that was put once more, because another interaction had ended, is no new one.
        expect.prompts = responses.filter { $0.type == EventType.promptIssued.rawValue }
            .compactMap { $0.json?["front"] == true ? nil : ConversationTranscript.name(ofPrompt: $0.json ?? .null) }
        let isTerminal = { (event: RecordedEvent) in
            event.type == EventType.intentResponded.rawValue && event.json?["terminal"] == true
        }
        guard let terminal = responses.first(where: isTerminal)?.json else { return expect }
        expect.code = terminal["code"]?.string.map(ScenarioExpectation.Code.named) ?? ScenarioExpectation.Code.none
        expect.status = terminal["status"]?.string
        expect.endReason = terminal["endReason"]?.string
        if terminal["phase"]?.string == Stage.handle.rawValue {
            expect.parameters = terminal["intent"]?["parameters"]?.object
        }
        expect.effects = (terminal["effects"]?.array ?? []).compactMap(\.string)
        let started = responses.filter { $0.type == EventType.intentResponded.rawValue }
            .flatMap { $0.json?["started"]?.array ?? [] }.compactMap { $0["name"]?.string }
        if !started.isEmpty { expect.started = started }
        let ignored = (terminal["ignoredParameters"]?.array ?? []).compactMap(\.string)
        if !ignored.isEmpty { expect.ignoredParameters = ignored }
        let warnings = (terminal["warnings"]?.array ?? []).compactMap { $0["member"]?.string }
        if !warnings.isEmpty { expect.warnings = warnings }
        return expect
    }
}

extension RecordedEvent {
    /// The event with its attributes; nil for a record that is not an event.
    package var event: Event? {
        try? Event(
            RecordContent(key: self.key, value: self.value, headers: self.headers),
            position: self.position,
            timestamp: self.timestamp
        )
    }
}
