internal import IntentEvents
internal import IntentKit

/// Undoing what an interaction has done, before it ends or goes back to the user (R75).
extension Turn {
    /// Whether the interaction's effects are undone when it does not succeed: its handler has parts for that, and every
    /// worker can read what is left to undo (R57).
    func canUndo(_ interaction: Interaction) -> Bool {
        self.environment.endsByUndoing && self.stage == .handle && interaction.undoing == nil
            && self.registered(interaction)?.registration.undos.isEmpty == false && self.mayWriteFormat2()
    }

    /// Begins to undo the effects of an interaction that does not succeed; new effects are refused from then on.
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - reason: Why it ends.
    ///   - response: The response with which it ends.
    /// - Returns: Whether there is something to undo; if not, the interaction is unchanged.
    /// - Throws: `JournaledError` when the ledger cannot be reached.
    func beginUndoing(
        _ interaction: inout Interaction,
        _ reason: EndReason,
        response: HandlerResponse? = nil
    ) async throws -> Bool {
        guard reason != .nominal, self.canUndo(interaction) else { return false }
        let effects = try await self.effects(fencing: interaction, among: nil)
        return self.startUndoing(effects, of: &interaction, before: reason, response: response)
    }

    /// The effects of an interaction that its user gives up, if all of them can be undone.
    ///
    /// Then new effects are refused from then on; otherwise nothing changes.
    /// - Parameter interaction: The interaction.
    /// - Returns: The effects; none if one of them cannot be undone.
    /// - Throws: `JournaledError` when the ledger cannot be reached.
    func effectsToUndo(of interaction: Interaction) async throws -> [MadeEffect] {
        guard self.canUndo(interaction) else { return [] }
        let names = Set((self.registered(interaction)?.registration.undos ?? [:]).keys)
        let effects = try await self.effects(fencing: interaction, among: names)
        return effects.allSatisfy { names.contains($0.name) } ? effects : []
    }

    /// Begins the round in which effects are undone, if they are all among the names, and returns them.
    ///
    /// None if the ledger is closed: a turn that has ended the interaction was not committed, an earlier try of this one or
    /// the parked turn that this one ends. Then what has been done stays done, and this turn ends the interaction.
    private func effects(fencing interaction: Interaction, among names: Set<String>?) async throws -> [MadeEffect] {
        do {
            return try await self.stageHost(for: interaction)
                .fence(request: interaction.request, round: interaction.round + 1, among: names)
        } catch is LedgerClosedError {
            return []
        }
    }

    /// Keeps what is to be undone of an interaction whose next round has begun, and notifies the user.
    ///
    /// - Parameters:
    ///   - effects: Its effects, in the order in which they were made.
    ///   - interaction: The interaction.
    ///   - reason: Why it ends.
    ///   - response: The response with which it ends.
    ///   - question: The question with which it goes back instead.
    /// - Returns: Whether there is something to undo; if not, the interaction is unchanged.
    func startUndoing(
        _ effects: [MadeEffect],
        of interaction: inout Interaction,
        before reason: EndReason,
        response: HandlerResponse? = nil,
        question: Undoing.Question? = nil
    ) -> Bool {
        let undos = self.registered(interaction)?.registration.undos ?? [:]
        let left = effects.reversed().filter { undos[$0.name] != nil }
        guard !left.isEmpty else { return false }
        interaction.round += 1
        interaction.waiting = nil
        interaction.appDeadline = nil
        var response = response ?? HandlerResponse(code: nil)
        // What a handler requires of the user has no meaning at the end.
        response.question = nil
        interaction.undoing = Undoing(left, before: reason, response: response, question: question, at: self.now)
        self.heldEffects = effects.map(\.name)
        self.reportUndoing(&interaction)
        self.keep(interaction)
        return true
    }

    /// What the user may undo of an interaction that ends; nil when it does not succeed, or nothing can be undone then.
    func undoOffer(of interaction: Interaction, _ reason: EndReason, _ response: HandlerResponse?) -> UndoOffer? {
        guard reason == .nominal, INIntentHandlingStatus(code: response?.code ?? "success") == .success,
            self.canUndo(interaction)
        else { return nil }
        let undos = self.registered(interaction)?.registration.undos ?? [:]
        let until = undos.compactMapValues { undo in undo.within.map { (self.now + $0.milliseconds).milliseconds } }
        guard !until.isEmpty else { return nil }
        return UndoOffer(
            user: interaction.user.id,
            interaction: interaction.id.text,
            intent: interaction.intent,
            until: until
        )
    }

    /// Finds an interaction of this user whose effects are undone; such turns do not count, since a policy bounds them.
    func undoneInteraction(request: RequestID) -> Interaction? {
        guard let interaction = self.state(StateName.interaction(request), Interaction.self),
            interaction.undoing != nil
        else { return nil }
        self.needFormat(of: interaction)
        return interaction
    }

    /// Whether another interaction is undoing the effects that this one shares (R48): it must not get their results.
    func mustWaitForUndo(_ interaction: Interaction) -> Bool {
        guard self.environment.endsByUndoing, interaction.origin != interaction.request else { return false }
        return self.stateNames(prefix: StateName.interactions)
            .contains { name in
                guard let other = self.state(name, Interaction.self) else { return false }
                return other.undoing != nil && other.request != interaction.request
                    && other.origin == interaction.origin
            }
    }

    /// Undoes effects in one transaction, after the calls that belong to it.
    ///
    /// - Parameters:
    ///   - effects: The effects, in the order in which they are undone.
    ///   - origin: The request whose effects they are.
    ///   - intent: The intent whose handler has made them.
    ///   - undos: How they are undone.
    ///   - interaction: The interaction that undoes them.
    /// - Returns: What it came to; if they were not undone, all of them stay.
    /// - Throws: What a call, a part `Undo` or the ledger throws.
    func undo(
        _ effects: [MadeEffect],
        from origin: RequestID,
        of intent: IntentSnapshot,
        _ undos: [String: EffectUndo],
        by interaction: Interaction
    ) async throws -> UndoOutcome {
        let context = self.context(for: interaction)
        let host = self.stageHost(for: interaction)
        var answers: [JSONValue] = []
        for effect in effects {
            guard let call = undos[effect.name]?.call, let result = try await host.result(of: effect, from: origin)
            else {
                answers.append(.null)
                continue
            }
            switch try await self.calling({ try await call(result, intent, context) }) {
            case .called(let answer): answers.append(answer)
            case .refused(let reason):
                self.handlerAnswered()
                return .refused(reason)
            }
        }
        let outcome = try await self.calling { [answers] in
            try await host.undo(effects, from: origin) { index, result, store in
                try undos[effects[index].name]?.undo(answers[index], result, intent, context, store)
            }
        }
        self.handlerAnswered()
        return outcome
    }

    /// When a failed undo is tried again, if it is.
    ///
    /// - Parameters:
    ///   - error: The error; nil for an undo that took too long.
    ///   - undoing: What is undone.
    ///   - interaction: The interaction.
    /// - Returns: The time of the next try.
    func undoRetry(after error: (any Error)?, _ undoing: Undoing, of interaction: Interaction) -> Timestamp? {
        let isTransient = error.map { ($0 as? JournaledError)?.isTransient ?? ($0 is any TransientError) } ?? true
        let policy = self.registered(interaction)?.registration.retry ?? self.environment.retryPolicy
        guard isTransient, undoing.attempt < policy.attempts else { return nil }
        let base = max(policy.delay(after: undoing.attempt).milliseconds, 1)
        let jitter = Int64(self.stageHost(for: interaction).nextRandom() % UInt64(base))
        let asked = error.map { self.delay(askedForBy: $0, upTo: policy.longest) } ?? 0
        let retryAt = self.now + max(base / 2 + jitter, asked)
        return retryAt - undoing.startedAt < policy.within.milliseconds ? retryAt : nil
    }
}

extension UndoInteraction {
    /// What a client sends to undo an interaction, and until when.
    static func offer(of interaction: InteractionID, until: Timestamp) -> JSONValue {
        [
            "intent": .string(Self.intentName), "parameters": ["interaction": interaction.json],
            "until": .string(until.description),
        ]
    }
}

/// The effects that an interaction shares are being undone: it has to wait.
struct UndoPendingError: TransientError, CustomStringConvertible {
    var description: String { "The effects of the first request are being undone." }
}
