internal import IntentEvents
internal import IntentKit

extension StageTurn {
    /// Receives an answer: acts on it when its prompt is the open one, else rejects it with a reason (R12, R23).
    func receiveAnswer() async throws {
        guard let promptID = self.turn.event.promptID else {
            self.turn.reject(.invalid, "An answer names its prompt: set data.promptId to the id of the prompt.")
            return
        }
        if promptID.stage > self.turn.stage {
            _ = self.turn.forwardToNextStage()
            return
        }
        guard promptID.stage == self.turn.stage, let known = self.turn.known(promptID.interaction) else {
            self.turn.reject(.notYours, "User \(self.turn.event.userID) has no interaction \(promptID.interaction).")
            return
        }
        guard var interaction = self.turn.openInteraction(request: known.request), let prompt = interaction.prompt,
            prompt.number == promptID.number
        else {
            self.rejectLateAnswer(to: promptID, history: known.history)
            return
        }
        guard let answer = self.answer() else { return }
        let mistakes =
            self.turn.unknownParameters(answer.corrections, in: ClientMistake.corrections, of: interaction)
            + self.turn.ignoredMembers(answer.ignoredMembers(at: prompt))
        self.turn.note(mistakes, in: &interaction)
        if let refusal = self.turn.refusal(intent: interaction.intent.name) {
            self.turn.reject(.invalid, refusal, intent: interaction.intent.name)
            return
        }
        if prompt.kind.waitsForEvent, answer.action == .accept {
            self.turn.reject(
                .invalid,
                "Prompt \(promptID) does not wait for an answer, but for \(prompt.kind.awaitedEvent).",
                intent: interaction.intent.name
            )
            return
        }
        if let timeZone = answer.timeZone { interaction.timeZone = timeZone }
        interaction.closePrompt(as: .answered)
        if !self.turn.environment.countsByQuestion || !answer.onlyCorrectsOthers(than: prompt.parameter) {
            interaction.attempts[self.turn.question(of: prompt)] = prompt.attempt + 1
        }
        try await self.turn.act(on: interaction) { interaction in
            if interaction.turns > self.turn.settings.maxTurns {
                try await self.turn.end(&interaction, .tooManyAttempts)
            } else if answer.action == .cancel {
                try await self.turn.end(&interaction, .abortedByUser)
            } else if prompt.kind.waitsForEvent {
                try await self.turn.end(&interaction, .declined)
            } else {
                try await self.receive(answer, to: prompt, &interaction)
            }
        }
    }

    private func rejectLateAnswer(to promptID: PromptID, history: [Interaction.PastPrompt]) {
        guard history.indices.contains(promptID.number - 1) else {
            self.turn.reject(.unknown, "Interaction \(promptID.interaction) has issued no prompt \(promptID.number).")
            return
        }
        switch history[promptID.number - 1] {
        case .answered: self.turn.reject(.duplicate, "The prompt was answered already.")
        case .superseded: self.turn.reject(.superseded, "The prompt is no longer open.")
        case .expired: self.turn.reject(.expired, "The prompt's time was up.")
        }
    }

    /// Reads the answer's data; rejects the event when it is invalid.
    private func answer() -> Answer? {
        let data = self.turn.event.data
        let text = data["action"]?.string ?? "accept"
        guard let action = Answer.Action(rawValue: text) else {
            self.turn.reject(.invalid, "data.action is \(text); it is accept, decline or cancel.")
            return nil
        }
        func present(_ name: String) -> JSONValue? { data[name].flatMap { $0.isNull ? nil : $0 } }
        if let choice = present("choice"), choice.integer == nil {
            self.turn.reject(.invalid, "data.choice is \(choice.kind); it is an index into the prompt's options.")
            return nil
        }
        if let corrections = present("corrections"), corrections.object == nil {
            self.turn.reject(
                .invalid,
                "data.corrections is \(corrections.kind); it is an object of values by parameter."
            )
            return nil
        }
        let timeZone = self.turn.environment.readsTimeZones ? present("timeZone") : nil
        if let timeZone, timeZone.string == nil {
            self.turn.reject(.invalid, "data.timeZone is \(timeZone.kind); it is a name such as Europe/Berlin.")
            return nil
        }
        return Answer(
            action: action,
            value: present("value"),
            choice: present("choice")?.integer.map { Int($0) },
            corrections: present("corrections")?.object ?? [:],
            timeZone: timeZone?.string.flatMap(UserTimeZone.name)
        )
    }
}

extension PromptKind {
    /// The type of the event that lets the interaction continue.
    var awaitedEvent: String {
        switch self {
        case .unlockRequired: EventType.deviceUnlocked.rawValue
        case .authenticationRequired: EventType.userAuthenticated.rawValue
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported, .intentConfirmation:
            EventType.promptAnswered.rawValue
        }
    }
}
