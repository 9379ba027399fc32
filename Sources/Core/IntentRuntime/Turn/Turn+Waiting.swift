internal import IntentEvents
internal import IntentKit

/// Long waits for the next try of `handle` or for an operator, outside of the parked turn (R76, R76): the user's other
/// conversations continue.
extension Turn {
    /// Makes the interaction wait for the next try; notifies the user the first time.
    func wait(for retry: Retry) {
        guard let interaction = self.interaction else { return }
        var wait = self.ownWait(.retry, at: retry.at)
        wait.at = min(retry.at, interaction.expiresAt ?? retry.at)
        self.act(on: interaction) { [wait] interaction in
            interaction.waiting = wait
            if (self.waited?.attempts ?? 0) == 0 {
                let until = min(retry.until, interaction.expiresAt ?? retry.until)
                self.tell(&interaction, .retrying, retryUntil: until)
            } else {
                self.record.outcome = .noted
            }
            self.keep(interaction)
        }
    }

    /// Makes the interaction wait until an operator decides, since the outcome of a post is unknown (R76).
    func waitForOperator() {
        guard let interaction = self.interaction else { return }
        let wait = self.ownWait(.operator, at: self.now)
        self.act(on: interaction) { interaction in
            self.waitForOperator(&interaction, wait, isTold: self.waited?.isCheck ?? false)
        }
    }

    /// A wait that continues this turn: with its attempts, and with the steps that are committed.
    func ownWait(_ reason: HandleWait.Reason, at time: Timestamp) -> HandleWait {
        var wait = HandleWait(
            reason,
            at: time,
            attempts: self.attempt,
            firstTriedAt: self.firstTriedAt,
            position: self.waited?.position ?? self.input.stored.position
        )
        wait.steps = self.committedSteps()
        return wait
    }

    /// Makes an interaction wait until an operator decides, whose turn or wait ends while its post may have been received.
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - parked: Its parked turn; nil where there is none.
    func waitForOperator(_ interaction: inout Interaction, of parked: ParkedTurn? = nil) {
        let isTold = interaction.waiting?.isCheck ?? false
        let wait = self.openWait(of: interaction, parked)
        self.waitForOperator(&interaction, wait, isTold: isTold)
    }

    private func waitForOperator(_ interaction: inout Interaction, _ wait: HandleWait, isTold: Bool) {
        var wait = wait
        wait.reason = .operator
        self.asksOperator = true
        // However long the request is valid: it is unknown what was done.
        wait.at = max(self.now, interaction.startedAt + self.settings.parkedMaxAge.milliseconds)
        self.waitsNow(for: nil, attempt: wait.attempts + 1, of: self.policy(of: interaction))
        self.check(&interaction, wait, isTold: isTold)
    }

    /// Makes an interaction wait whose turn takes too long while its post may have been received: its next try looks up
    /// the outcome (R76).
    func waitForLookup(_ interaction: inout Interaction, of parked: ParkedTurn) {
        let isTold = interaction.waiting?.isCheck ?? false
        var wait = self.openWait(of: interaction, parked)
        let policy = self.policy(of: interaction)
        wait.at = self.now + max(policy.delay(after: wait.attempts).milliseconds, 1)
        guard wait.attempts < policy.attempts, wait.at - wait.firstTriedAt < policy.within.milliseconds else {
            self.waitForOperator(&interaction, wait, isTold: isTold)
            return
        }
        self.waitsNow(for: wait.at, attempt: wait.attempts + 1, of: policy)
        self.check(&interaction, wait, isTold: isTold)
    }

    /// How `handle` of an interaction is tried again.
    private func policy(of interaction: Interaction) -> RetryPolicy {
        self.registered(interaction)?.registration.retry ?? self.environment.retryPolicy
    }

    /// A wait that begins with the attempts and steps of an interaction's last wait and of its parked turn.
    private func openWait(of interaction: Interaction, _ parked: ParkedTurn?) -> HandleWait {
        let before = interaction.waiting
        var wait = HandleWait(
            .lookup,
            at: self.now,
            attempts: (before?.attempts ?? 0) + (parked?.attempt ?? 0),
            firstTriedAt: before?.firstTriedAt ?? parked?.startedAt ?? self.record.at,
            position: before?.position ?? parked?.event.position ?? self.input.stored.position
        )
        wait.steps = (before?.steps ?? []) + (parked?.steps ?? [])
        return wait
    }

    /// Keeps an interaction whose outcome is unknown; notifies the user the first time.
    private func check(_ interaction: inout Interaction, _ wait: HandleWait, isTold: Bool) {
        interaction.waiting = wait
        if isTold {
            self.record.outcome = .noted
        } else {
            self.tell(&interaction, .checking)
        }
        self.keep(interaction)
    }

    /// Whether something that an interaction has posted may have been received, and no answer of it is committed (R76).
    ///
    /// - Parameters:
    ///   - interaction: The interaction, which waits or whose turn is running.
    ///   - steps: The committed steps of that turn; read only where they matter.
    /// - Returns: Whether it may be done already.
    func mayHavePosted(_ interaction: Interaction, _ steps: @autoclosure () -> [CommittedStep] = []) -> Bool {
        if interaction.waiting?.reason == .operator { return true }
        guard self.stage == .handle, let mark = self.registered(interaction)?.registration.postMark
        else { return false }
        return ((interaction.waiting?.steps ?? []) + steps()).contains { $0.name == mark }
    }

    /// Tells the user in a sentence what an interaction waits for.
    func tell(_ interaction: inout Interaction, _ sentence: PromptSentence, retryUntil: Timestamp? = nil) {
        var response = HandlerResponse(code: "inProgress")
        // The words of values are those of a handler's own types.
        if self.record.crash == nil {
            response.dialog = LocalizedText(self.sentence(sentence, about: interaction))
        }
        self.reportInProgress(&interaction, code: "inProgress", response: response, retryUntil: retryUntil)
    }

    /// Continues after a wait: ids and random numbers are those of the event with which the interaction came, and the
    /// committed steps are known.
    func resume(after wait: HandleWait, _ interaction: Interaction) {
        self.waited = wait
        self.stageHost(for: interaction)
            .adopt(self.environment.identifiers(of: wait.position), attempt: self.attempt, steps: wait.steps)
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
