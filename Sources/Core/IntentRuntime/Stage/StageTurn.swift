internal import IntentEvents
internal import IntentKit

/// What a stage does in a turn: one type for each stage, and extensions with what all three do in the same way.
///
/// An interaction is changed in place (``Turn/act(on:_:)``): functions that change it have it `inout`.
protocol StageTurn {
    /// What all turns share: state, outputs, journal, host.
    var turn: Turn { get }

    /// Receives an event that brings an interaction to its stage; events of other stages are ignored.
    func receive(_ type: EventType) async throws

    /// Receives an answer to a prompt of this stage; the answer closes the prompt.
    func receive(_ answer: Answer, to prompt: Prompt, _ interaction: inout Interaction) async throws

    /// Continues an interaction whose device was unlocked, or whose user signed in.
    func proceed(_ interaction: inout Interaction) async throws

    /// Receives the app's answer about what was handed to it (R33).
    func receiveAppResponse() async throws

    /// Receives what an operator has decided about a post (R76).
    func receiveDecision() async throws

    /// Continues after a long wait (R76), or a pause (R82).
    func handleAgain(_ interaction: inout Interaction) async throws

    /// The interaction on which a condemned event of a type that only this stage receives would have acted; nil when
    /// there is none.
    func condemnedInteraction(_ type: EventType) -> Interaction?

    /// Answers a request that cannot be decoded, if it says who asked for what (R47).
    func answerUndecodable(_ error: EventDecodingError)
}

/// The defaults for most stages.
extension StageTurn {
    func receiveAppResponse() async throws { _ = self.turn.forwardToNextStage() }

    func receiveDecision() async throws {
        guard self.turn.decision() != nil else { return }
        _ = self.turn.forwardToNextStage()
    }

    /// Nothing waits for another try before `handle`.
    func handleAgain(_ interaction: inout Interaction) async throws {}

    func condemnedInteraction(_ type: EventType) -> Interaction? { nil }

    func answerUndecodable(_ error: EventDecodingError) {}
}

extension StageTurn {
    /// Processes the event according to the stage.
    ///
    /// - Throws: What a handler throws; `CancellationError` when the turn is over before it ends.
    func process() async throws {
        guard let type = self.turn.event.knownType else {
            self.turn.reject(.invalid, "\(self.turn.event.type) is not a type of event that is processed here.")
            return
        }
        if self.turn.input.stored.position.topic == .requests && !type.isInbound {
            self.turn.record.outcome = .ignored
            return
        }
        // A request has an interaction that ends.
        if type.isInbound, type != .intentRequested, let refusal = self.turn.refusal() {
            self.turn.reject(.invalid, refusal)
            return
        }
        switch type {
        case .intentRequested, .interactionReturned, .intentResolved, .intentConfirmed, .followUpScheduled:
            try await self.receive(type)
        case .promptAnswered: try await self.receiveAnswer()
        case .interactionCancelled: try await self.cancel()
        case .deviceUnlocked: self.resumeInteractions(waitingFor: .unlockRequired)
        case .userAuthenticated: self.resumeInteractions(waitingFor: .authenticationRequired)
        case .interactionResumed: try await self.resume()
        case .promptRecalled: self.recallPrompt()
        case .vocabularyReplaced, .vocabularyRemoved: self.recordVocabulary(type)
        case .timerFired: try await self.receiveTimer()
        case .appResponded: try await self.receiveAppResponse()
        case .operatorDecided: try await self.receiveDecision()
        case .operatorActed: try await self.receiveAct()
        case .promptIssued, .intentResponded, .statusUpdated, .userNotified, .eventRejected, .userActivityCreated,
            .turnJournaled:
            self.turn.record.outcome = .ignored
        }
    }

    /// Becomes the owner of an interaction that another stage has passed on, and continues it if it is in time.
    ///
    /// An event without an interaction, or with another user's, goes to dead letters.
    func acquire(_ body: (inout Interaction) async throws -> Void) async throws {
        guard var interaction = self.turn.event.interaction else {
            try await self.deadLetterPassedOn()
            return
        }
        guard UserID(interaction.user.id) == self.turn.event.userID else {
            self.turn.output(
                .deadLetter(
                    error: EventDecodingError.Code.userMismatch.rawValue,
                    detail: "The event and its interaction name different users."
                )
            )
            self.turn.record.outcome = .deadLettered
            return
        }
        interaction.turns += 1
        try await self.turn.act(on: consume interaction) { interaction in
            guard try await !self.endIfOverdue(&interaction) else { return }
            try await body(&interaction)
        }
    }

    /// Ends an interaction that has used up its time or its turns (R24).
    ///
    /// - Returns: Whether it did.
    func endIfOverdue(_ interaction: inout Interaction) async throws -> Bool {
        guard let reason = self.overdueReason(interaction) else { return false }
        // Another worker may have begun this turn in time and lost the partition since: its handler still runs.
        try await self.turn.end(&interaction, reason)
        return true
    }

    func overdueReason(_ interaction: Interaction) -> EndReason? {
        let settings = self.turn.settings
        if interaction.turns > settings.maxTurns { return .tooManyAttempts }
        if let expiresAt = interaction.expiresAt, self.turn.now >= expiresAt { return .timeout }
        return self.turn.now - interaction.startedAt >= settings.parkedMaxAge.milliseconds ? .timeout : nil
    }
}
