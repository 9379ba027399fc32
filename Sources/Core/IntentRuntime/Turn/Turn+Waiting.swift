internal import IntentEvents
internal import IntentKit

/// Long waits for the next try of `handle`, outside of the parked turn (R76): the user's other conversations continue.
extension Turn {
    /// Makes the interaction wait for the next try; the first time, the user is told.
    func wait(for retry: Retry) {
        guard let interaction = self.interaction else { return }
        let steps = self.committedSteps()
        self.act(on: interaction) { interaction in
            var wait = HandleWait(
                at: min(retry.at, interaction.expiresAt ?? retry.at),
                attempts: self.attempt,
                firstTriedAt: self.firstTriedAt,
                position: self.waited?.position ?? self.input.stored.position
            )
            wait.steps = steps
            interaction.waiting = wait
            if self.waited == nil {
                var response = HandlerResponse(code: "inProgress")
                response.dialog = LocalizedText(self.sentence(.retrying, about: interaction))
                self.reportInProgress(
                    &interaction,
                    code: "inProgress",
                    response: response,
                    retryUntil: min(retry.until, interaction.expiresAt ?? retry.until)
                )
            } else {
                self.record.outcome = .noted
            }
            self.keep(interaction)
        }
    }

    /// Continues after a wait: ids and random numbers are those of the event with which the interaction came, and the
    /// committed steps are known.
    func resume(after wait: HandleWait, _ interaction: Interaction) {
        self.waited = wait
        self.stageHost(for: interaction)
            .adopt(
                self.environment.identifiers(of: wait.position),
                attempt: self.attempt,
                steps: wait.steps
            )
    }

    /// A sentence about the task of an interaction, in the user's language.
    func sentence(_ sentence: PromptSentence, about interaction: Interaction) -> String {
        PromptDialog(self.registered(interaction)?.registration, intent: interaction.intent, locale: interaction.locale)
            .text(sentence)
    }

    /// The steps that are committed: before the last wait, in earlier runs of this turn, and in this one, whose reads name
    /// them.
    private func committedSteps() -> [CommittedStep] {
        var steps = self.waited?.steps ?? []
        func add(_ step: CommittedStep) {
            guard !steps.contains(where: { $0.name == step.name && $0.ordinal == step.ordinal }) else { return }
            steps.append(step)
        }
        if let parked = self.parkedTurn(), parked.event.position == self.input.stored.position {
            for step in parked.steps { add(step) }
        }
        var ordinals: [String: Int] = [:]
        for read in self.host?.reads ?? [] where read.kind == .step {
            defer { ordinals[read.name, default: 0] += 1 }
            guard case .value(let value) = read.result else { continue }
            add(CommittedStep(name: read.name, ordinal: ordinals[read.name, default: 0], value: value))
        }
        return steps
    }
}
