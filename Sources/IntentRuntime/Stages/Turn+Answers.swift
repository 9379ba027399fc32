internal import IntentEvents
internal import IntentKit

/// What a user answers to a prompt (R22).
struct Answer {
    enum Action: String {
        case accept
        case decline
        case cancel
    }

    var action: Action
    var value: JSONValue?
    var choice: Int?
    var corrections: JSONObject

    /// Whether it is a yes and nothing else.
    var isBare: Bool { self.action == .accept && self.value == nil && self.choice == nil }
}

extension Turn {
    /// Takes an answer: acts on it when its prompt is the open one, else says why not (R12, R23).
    func takeAnswer() async throws {
        guard let promptID = self.event.promptID else {
            self.reject(.invalid, "An answer names its prompt: set data.promptId to the id of the prompt.")
            return
        }
        if promptID.stage > self.stage {
            _ = self.forwardToNextStage()
            return
        }
        guard promptID.stage == self.stage, let known = self.known(promptID.interaction) else {
            self.reject(.notYours, "User \(self.event.userID) has no interaction \(promptID.interaction).")
            return
        }
        guard var interaction = self.openInteraction(request: known.request), let prompt = interaction.prompt,
            prompt.number == promptID.number
        else {
            self.rejectLateAnswer(to: promptID, history: known.history)
            return
        }
        guard let answer = self.answer() else { return }
        if prompt.kind.waitsForEvent, answer.action == .accept {
            self.reject(
                .invalid,
                "Prompt \(promptID) does not wait for an answer, but for \(prompt.kind.awaitedEvent)."
            )
            return
        }
        interaction.closePrompt(as: .answered)
        interaction.attempts[Prompt.subject(prompt.parameter, prompt.index)] = prompt.attempt + 1
        self.interaction = interaction
        if interaction.turns > self.settings.maxTurns {
            self.end(.tooManyAttempts)
            return
        }
        if answer.action == .cancel {
            self.end(.abortedByUser)
            return
        }
        if prompt.kind.waitsForEvent {
            self.end(.declined)
            return
        }
        switch self.stage {
        case .resolve: try await self.resolve(answer, to: prompt)
        case .confirm: try await self.confirm(answer, to: prompt)
        case .handle: self.reject(.unknown, "The handle stage asks nothing.")
        }
    }

    private func rejectLateAnswer(to promptID: PromptID, history: [Interaction.PastPrompt]) {
        guard history.indices.contains(promptID.number - 1) else {
            self.reject(.unknown, "Interaction \(promptID.interaction) has issued no prompt \(promptID.number).")
            return
        }
        switch history[promptID.number - 1] {
        case .answered: self.reject(.duplicate, "The prompt was answered already.")
        case .superseded: self.reject(.superseded, "The prompt is no longer open.")
        case .expired: self.reject(.expired, "The prompt's time was up.")
        }
    }

    /// Reads the answer's data; rejects the event when it is none.
    private func answer() -> Answer? {
        let data = self.event.data
        let text = data["action"]?.string ?? "accept"
        guard let action = Answer.Action(rawValue: text) else {
            self.reject(.invalid, "data.action is \(text); it is accept, decline or cancel.")
            return nil
        }
        func present(_ name: String) -> JSONValue? { data[name].flatMap { $0.isNull ? nil : $0 } }
        if let choice = present("choice"), choice.integer == nil {
            self.reject(.invalid, "data.choice is \(choice.kind); it is an index into the prompt's options.")
            return nil
        }
        if let corrections = present("corrections"), corrections.object == nil {
            self.reject(.invalid, "data.corrections is \(corrections.kind); it is an object of values by parameter.")
            return nil
        }
        return Answer(
            action: action,
            value: present("value"),
            choice: present("choice")?.integer.map { Int($0) },
            corrections: present("corrections")?.object ?? [:]
        )
    }
}

extension PromptKind {
    /// The type of the event that lets the interaction go on.
    var awaitedEvent: String {
        switch self {
        case .unlockRequired: EventType.deviceUnlocked.rawValue
        case .authenticationRequired: EventType.userAuthenticated.rawValue
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported, .intentConfirmation:
            EventType.promptAnswered.rawValue
        }
    }
}
