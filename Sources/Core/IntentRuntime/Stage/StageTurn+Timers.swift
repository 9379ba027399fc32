internal import IntentEvents
internal import IntentKit

/// The kind of a timer (R13).
package enum TimerKind: String, Sendable, CaseIterable {
    /// A prompt expires.
    case prompt
    /// The app's time limit.
    case app
    /// The user is notified that it takes longer.
    case inProgress
    /// A handler's time limit.
    case timeout
    /// A turn is tried again.
    case retry
    /// There may be news after the terminal response.
    case status
    /// A state entry cannot be read.
    case unreadable
    /// An interaction is handled again after a long wait.
    case again
    /// A follow-up is due.
    case followUp
    /// An effect of an interaction is undone.
    case undo
    /// An interaction continues after a pause.
    case resume

    /// The oldest format that has it (R57).
    var format: Int {
        switch self {
        case .prompt, .app, .inProgress, .timeout, .retry, .status, .unreadable: 1
        case .again, .followUp, .undo, .resume: 2
        }
    }
}

extension StageTurn {
    /// Acts on a timer if its subject is still current (R13).
    func receiveTimer() async throws {
        let data = self.turn.event.data
        guard let kind = data["what"]?.string.flatMap(TimerKind.init(rawValue:)),
            let deadline = data["deadline"]?.string.flatMap(Timestamp.init)
        else {
            self.turn.output(.deadLetter(error: "malformed", detail: "The timer names no kind or deadline."))
            self.turn.record.outcome = .deadLettered
            return
        }
        // A fast clock wrote it, or the clock was set back since, or somebody else wrote it: it counts when its time
        // has come. A turn that has begun continues all the same, since steps of it may be committed.
        let hasBegun = self.turn.environment.continuesTimers && self.turn.input.firstTriedAt != nil
        guard hasBegun || self.turn.now >= deadline else {
            self.rearm(kind)
            return
        }
        switch kind {
        case .prompt, .app:
            guard let request = self.turn.event.request, let interaction = self.turn.openInteraction(request: request)
            else {
                return
            }
            let current = kind == .prompt ? interaction.prompt?.expiresAt : interaction.appDeadline
            guard current == deadline else { return }
            if kind == .prompt,
                interaction.prompt?.id(interaction: interaction.id, stage: self.turn.stage) != self.turn.event.promptID
            {
                return
            }
            try await self.turn.act(on: interaction) { interaction in
                try await self.turn.end(&interaction, .timeout)
            }
        case .again:
            guard let request = self.turn.event.request,
                let interaction = self.turn.waitingInteraction(request: request),
                let wait = interaction.waiting, wait.at == deadline
            else { return }
            guard wait.reason != .operator else {
                try self.turn.act(on: interaction) { _ in
                    self.turn.leavesOpen = true
                    throw UndecidedError()
                }
                return
            }
            try await self.resume(interaction, after: wait)
        case .resume:
            guard let request = self.turn.event.request else { return }
            try await self.receiveEndOfPause(request, heldAt: deadline)
        case .undo:
            guard let request = self.turn.event.request else { return }
            try await self.undoNext(request: request, deadline: deadline)
        case .status:
            guard let request = self.turn.event.request else { return }
            try await self.updateStatus(request: request, deadline: deadline)
        case .followUp: self.sendFollowUp(dueAt: deadline)
        case .unreadable:
            try await self.discardEntry()
        case .inProgress, .timeout, .retry:
            guard let parked = self.turn.parkedTurn(), data["position"]?.string == parked.event.position.description,
                data["attempt"]?.integer == Int64(parked.attempt)
            else { return }
            try await self.receiveTimer(kind, deadline: deadline, of: parked)
        }
    }

    /// Makes the lane wait for the deadlines of the timer's entry, if it does not do so already.
    private func rearm(_ kind: TimerKind) {
        switch kind {
        case .prompt, .app, .again, .undo, .resume:
            self.turn.earlyTimers += self.turn.event.request.map { [.interaction($0)] } ?? []
        case .status: self.turn.earlyTimers += self.turn.event.request.map { [.followed($0)] } ?? []
        case .followUp: self.turn.earlyTimers += self.turn.event.followUpName.map { [$0] } ?? []
        case .inProgress, .timeout, .retry: self.turn.earlyTimers.append(.parked)
        // Its deadline is the beginning of time.
        case .unreadable: break
        }
    }

    private func receiveTimer(_ kind: TimerKind, deadline: Timestamp, of parked: ParkedTurn) async throws {
        var parked = parked
        switch kind {
        case .retry:
            guard parked.retryAt == deadline else { return }
            self.turn.awaited = AwaitedEvent(parked)
            parked.tryAgain()
            self.turn.setState(StateName.parked, parked)
            if self.turn.environment.journalsWaits { self.turn.name(interactionOf: parked) }
            self.turn.record.outcome = .parked
        case .inProgress:
            guard parked.inProgressAt == deadline, let interaction = self.turn.interaction(of: parked),
                // The user already knows that it is being undone.
                interaction.undoing == nil
            else { return }
            parked.inProgressAt = nil
            self.turn.setState(StateName.parked, parked)
            self.turn.act(on: interaction) { self.turn.reportInProgress(&$0, code: "inProgress") }
        case .timeout:
            guard parked.timeoutAt == deadline else { return }
            guard !self.turn.isRepeated(parked) else {
                // No handler hangs: it waits to be run, and is answered then.
                parked.timeoutAt = self.turn.now + self.turn.settings.handlerTimeout.milliseconds
                self.turn.setState(StateName.parked, parked)
                self.turn.record.outcome = .parked
                return
            }
            if let interaction = self.turn.interaction(of: parked) {
                try await self.turn.act(on: interaction) { interaction in
                    guard interaction.undoing == nil else {
                        try await self.undoTimedOut(&interaction)
                        return
                    }
                    guard !self.turn.mayHavePosted(interaction, parked.steps) else {
                        self.turn.waitForLookup(&interaction, of: parked)
                        return
                    }
                    do {
                        guard try await !self.turn.beginUndoing(&interaction, .timeout) else { return }
                    } catch let error as JournaledError where !error.isTransient {
                        // The store cannot undo.
                    }
                    do {
                        try await self.turn.closeLedger(of: interaction)
                    } catch let error as JournaledError where !error.isTransient {
                        // If the store cannot be reached, the interaction ends all the same (R9).
                    }
                    self.turn.conclude(&interaction, .timeout)
                }
            } else if let request = (try? parked.event.decoded())?.followedRequest {
                self.postponeStatusUpdate(request: request)
            }
            self.turn.removeState(StateName.parked)
            self.turn.endsParked = true
        case .prompt, .app, .status, .unreadable, .again, .followUp, .undo, .resume:
            break
        }
    }
}

/// No operator has decided the outcome of a post (R76).
struct UndecidedError: Error, CustomStringConvertible {
    /// What happened, for operators.
    var description: String {
        "Nobody has decided what became of the post: it may have been done (intentd waiting list)."
    }
}
