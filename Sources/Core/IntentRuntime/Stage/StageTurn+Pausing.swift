package import IntentEvents
internal import IntentKit

/// Pauses, and interactions that wait for their end (R82d, R82e).
extension StageTurn {
    /// Begins or ends a pause in this partition.
    func receivePause(_ act: OperatorAct) {
        guard let pause = Pause(act, self.turn.event) else {
            self.turn.reject(.invalid, "The pause names no target, such as intent:Book or app:Travel.")
            return
        }
        if act.kind == .pause {
            self.turn.setState(pause.name, StateEntry(text: pause.json.utf8))
        } else {
            self.turn.removeState(pause.name)
        }
        self.turn.record.outcome = .noted
    }

    /// Holds an interaction before its handler is called, if its intent is paused.
    ///
    /// - Returns: Whether it is held.
    func isHeld(_ interaction: inout Interaction) -> Bool {
        guard let pause = self.turn.pause(of: interaction) else { return false }
        self.turn.hold(&interaction, pause)
        return true
    }

    /// Continues an interaction when its pause has ended; if it has not, or another one holds it, it waits again.
    func receiveEndOfPause(_ request: RequestID, heldAt: Timestamp) async throws {
        guard let interaction = self.turn.waitingInteraction(request: request), let wait = interaction.waiting,
            wait.reason == .paused, wait.heldAt == heldAt
        else { return }
        try await self.resume(interaction, after: wait.afterPause(at: self.turn.now))
    }
}

extension Turn {
    /// The pause that holds an interaction in this stage; nil when there is none.
    ///
    /// The journal has it: a replay knows no pauses, and a turn that was not held has none.
    func pause(of interaction: Interaction) -> Pause? {
        guard self.environment.holdsPaused else { return nil }
        // Nearly always there is none, and nothing else has to be looked up.
        let pauses = self.source.pauses
        guard !pauses.isEmpty else { return nil }
        let app = self.registered(interaction)?.extensionName
        guard let pause = pauses.first(holding: interaction.intent.name, of: app), self.mayWriteFormat2()
        else { return nil }
        self.record.held = pause
        return pause
    }

    /// Makes an interaction wait until its pause ends; notifies the user the first time.
    ///
    /// The attempt that it came for was not made. It ends as if it waited for its next try (R76d).
    func hold(_ interaction: inout Interaction, _ pause: Pause) {
        var wait = self.ownWait(.paused, at: interaction.startedAt + self.settings.parkedMaxAge.milliseconds)
        wait.at = max(self.now, min(wait.at, interaction.expiresAt ?? wait.at))
        wait.attempts -= 1
        wait.heldAt = max(self.now, (self.waited?.lastHeldAt).map { $0 + 1 } ?? self.now)
        wait.pause = pause
        interaction.waiting = wait
        if self.waited?.wasHeld ?? false {
            self.record.outcome = .noted
        } else {
            self.tell(&interaction, .paused)
        }
        self.keep(interaction)
    }
}

extension Pause {
    /// The pause that an act begins; nil when it names no target.
    init?(_ act: OperatorAct, _ event: Event) {
        guard let target = act.target.flatMap({ Target($0) }) else { return nil }
        self.init(target, id: event.id, since: event.time, by: act.by.name, reason: act.by.reason)
    }

    /// The name of its state entry.
    var name: StateName { StateName.pause(self.target) }
}

extension Identity where Kind == StateKind {
    /// A pause.
    package static func pause(_ target: Pause.Target) -> Self { Self("h/\(target)") }
    /// The prefix of the names of pauses.
    package static var pauses: StateFamily { "h/" }
}
