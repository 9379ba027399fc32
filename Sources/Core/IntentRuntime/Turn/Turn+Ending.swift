internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Closes the ledger of an interaction that ends, and asks what it holds: its terminal response names that (R30).
    ///
    /// Before `handle` there is nothing to close. A redriven interaction has effects there all the same: those of the
    /// one that it follows (R48).
    ///
    /// - Throws: `JournaledError` when the ledger cannot be reached.
    func closeLedger(of interaction: Interaction, offering offer: UndoOffer? = nil) async throws {
        guard self.mayHaveEffects(interaction) else { return }
        let host = self.stageHost(for: interaction)
        guard self.environment.namesHeldEffects else {
            _ = try await host.closeLedger(request: interaction.request, unlessEffects: false)
            if self.record.crash != nil { try await host.adoptEffects(request: interaction.request) }
            return
        }
        if self.stage == .handle {
            try await host.endLedger(request: interaction.request, offering: offer)
        } else {
            try await host.adoptEffects(request: interaction.request)
        }
        self.heldEffects = host.effectNames
    }

    /// Closes the ledger of an interaction that is given up, unless one of its effects has happened (R5).
    ///
    /// - Returns: Whether the interaction can end.
    /// - Throws: `JournaledError` when the ledger cannot be reached.
    func closeLedgerUnlessEffects(of interaction: Interaction) async throws -> Bool {
        guard self.stage == .handle, self.mayHaveEffects(interaction) else {
            try await self.closeLedger(of: interaction)
            return true
        }
        let host = self.stageHost(for: interaction)
        guard try await host.closeLedger(request: interaction.request, unlessEffects: true) else { return false }
        self.heldEffects = []
        return true
    }

    /// Begins the next round of an interaction that goes back to the user: effects of this one are refused from now on.
    ///
    /// - Returns: The interaction's effects.
    /// - Throws: `JournaledError` when the ledger cannot be reached, or has no rounds.
    func beginNextRound(of interaction: Interaction) async throws -> [MadeEffect] {
        guard self.registered(interaction)?.registration.usesLedger ?? true else { return [] }
        return try await self.stageHost(for: interaction)
            .fence(request: interaction.request, round: interaction.round + 1, among: nil)
    }

    /// Whether the ledger may hold effects of an interaction, or may come to hold some.
    private func mayHaveEffects(_ interaction: Interaction) -> Bool {
        let namesHeld = self.environment.namesHeldEffects
        guard self.stage == .handle || namesHeld && interaction.origin != interaction.request else { return false }
        // Another worker may have a handler for it.
        return self.registered(interaction)?.registration.usesLedger ?? namesHeld
    }

    /// Closes the interaction's ledger, and ends it; first its effects are undone, if it does not succeed (R75).
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - reason: The end reason.
    ///   - response: The handler's response; nil if no handler was involved.
    /// - Throws: `JournaledError` when the ledger cannot be reached.
    func end(_ interaction: inout Interaction, _ reason: EndReason, response: HandlerResponse? = nil) async throws {
        guard try await !self.beginUndoing(&interaction, reason, response: response) else { return }
        let offer = self.undoOffer(of: interaction, reason, response)
        try await self.closeLedger(of: interaction, offering: offer)
        let made = (self.heldEffects ?? []).map { MadeEffect(name: $0, ordinal: 0) }
        self.undoableUntil = offer?.offered(made).map { Timestamp(milliseconds: $0.until) }
        self.conclude(&interaction, reason, response: response)
    }

    /// Ends the interaction with its one terminal response (R9), in the transaction that gives it up (R12); its ledger
    /// is closed already, or cannot be.
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - reason: The end reason.
    ///   - response: The handler's response; nil if no handler was involved.
    func conclude(_ interaction: inout Interaction, _ reason: EndReason, response: HandlerResponse? = nil) {
        interaction.closePrompt(as: reason == .timeout ? .expired : .superseded)
        var response = response
        // The words of values are those of a handler's own types.
        if let undoing = interaction.undoing, response?.dialog == nil, self.record.crash == nil {
            let sentence: PromptSentence = undoing.failures.isEmpty ? .undone : .undoFailed
            response = response ?? HandlerResponse(code: nil)
            response?.dialog = LocalizedText(self.sentence(sentence, about: interaction))
        }
        let codes = self.registered(interaction)?.registration.codes ?? []
        let code = response?.code ?? (reason != .nominal && codes.contains("failure") ? "failure" : nil)
        let status = code.map(INIntentHandlingStatus.init(code:)) ?? (reason == .nominal ? .success : .failure)
        self.respond(
            interaction,
            code: code,
            status: status,
            endReason: reason,
            response: response,
            activity: self.activity(for: status, reason, response: response),
            // All of them, those of earlier outputs too.
            mistakes: interaction.mistakes[...]
        )
        self.recall(.front, interaction)
        self.removeState(StateName.interaction(interaction.request))
        self.remember(interaction, whereabouts: .ended, undoableUntil: self.undoableUntil)
        self.record.outcome = .ended
        self.ending = InteractionEnd(
            code: code,
            reason: reason,
            duration: max(0, self.now - interaction.startedAt) + interaction.queuedFor,
            prompts: interaction.history.count
        )
    }

    /// Tells the user that it takes longer, how far it is, or that the app continues (R32, R33, R74); this is not the end.
    func reportInProgress(
        _ interaction: inout Interaction,
        code: String,
        response: HandlerResponse? = nil,
        note: TurnNote? = nil,
        retryUntil: Timestamp? = nil
    ) {
        let activity = code == "handleInApp" ? self.activity(for: .deferredToApplication, response: response) : nil
        // A note does not keep the interaction.
        let mistakes = note == nil ? interaction.takeUnnamedMistakes() : []
        self.respond(
            interaction,
            code: code,
            status: INIntentHandlingStatus(code: code),
            endReason: nil,
            response: response,
            activity: activity,
            mistakes: mistakes,
            note: note,
            retryUntil: retryUntil
        )
        self.record.outcome = .reported
    }

    /// Tells the user that what was done is undone (R75); the end follows.
    func reportUndoing(_ interaction: inout Interaction) {
        var response = HandlerResponse(code: "inProgress")
        if self.record.crash == nil {
            response.dialog = LocalizedText(self.sentence(.undoing, about: interaction))
        }
        self.reportInProgress(&interaction, code: "inProgress", response: response)
    }

    /// Passes the interaction on: from now on the next stage owns it (R12).
    func pass(_ interaction: Interaction, as type: EventType) {
        guard let topic = self.stage.nextTopic else { return }
        self.emit(type, about: interaction, to: topic) { text in
            text.beginObject()
            text.name("intent")
            interaction.intent.write(to: &text)
            text.name("interaction")
            interaction.write(to: &text)
            text.member(userNamed: interaction.user.id)
            text.endObject()
        }
        self.removeState(StateName.interaction(interaction.request))
        self.remember(interaction, whereabouts: .passed)
        self.record.outcome = .passed
    }

    /// Remembers an interaction by its id, for late answers and retried requests.
    func remember(
        _ interaction: Interaction,
        whereabouts: KnownInteraction.Whereabouts,
        undoableUntil: Timestamp? = nil
    ) {
        var known = KnownInteraction(interaction, at: self.now, whereabouts: whereabouts)
        known.undoableUntil = undoableUntil
        if undoableUntil != nil { known.started = self.startedIDs }
        self.setState(StateName.known(interaction.id), known)
    }

    /// The response that reports a failure to the client.
    func response(to failure: TurnFailure, in interaction: Interaction) -> HandlerResponse {
        let details: JSONObject = failure.clientMessage.map { ["error": .string($0)] } ?? [:]
        let codes = self.registered(interaction)?.registration.codes ?? []
        var response = HandlerResponse(code: codes.contains("failure") ? "failure" : nil, details: details)
        if self.leavesOpen {
            response.dialog = LocalizedText(self.sentence(.undecided, about: interaction))
        } else if self.waited != nil, failure.clientMessage == nil {
            // An earlier response said that it would be tried again.
            response.dialog = LocalizedText(self.sentence(.gaveUp, about: interaction))
        }
        return response
    }

    /// Whether effects may have been made that the terminal response does not name (R30).
    private func hasUnknownEffects(_ interaction: Interaction) -> Bool {
        guard self.environment.namesHeldEffects else { return false }
        return self.leavesOpen || self.omitsEffects || self.heldEffects == nil && self.mayHaveEffects(interaction)
    }

    /// The activity of a response: always on a problem or when the app continues, except after the user gave up (R34).
    private func activity(
        for status: INIntentHandlingStatus,
        _ reason: EndReason? = nil,
        response: HandlerResponse?
    ) -> UserActivity? {
        guard reason != .abortedByUser || !self.environment.endsQuietly else { return response?.userActivity }
        return switch status {
        case .failure, .deferredToApplication: response?.userActivity ?? UserActivity()
        case .unspecified, .ready, .inProgress, .success, .userConfirmationRequired: response?.userActivity
        }
    }

    private func respond(
        _ interaction: Interaction,
        code: String?,
        status: INIntentHandlingStatus,
        endReason: EndReason?,
        response: HandlerResponse?,
        activity: UserActivity?,
        mistakes: ArraySlice<ClientMistake>,
        note: TurnNote? = nil,
        retryUntil: Timestamp? = nil
    ) {
        let activityData = activity.map {
            self.activityData($0, of: interaction, code: code, status: status, details: response?.details ?? [:])
        }
        let activityShown = activityData.map { data in
            JSONValue.members([
                "activityType": data["activityType"], "title": data["title"], "userInfo": data["userInfo"],
            ])
        }
        // A note draws nothing: that would call a presenter.
        let view = note == nil ? self.view(of: interaction, code: code, status: status, response: response) : nil
        self.emit(.intentResponded, about: interaction, to: .responses) { text in
            text.beginObject()
            text.name("code")
            text.stringOrNull(code)
            text.member("dialog", response?.dialog?.text(locale: interaction.locale))
            text.name("effects")
            text.strings(self.omitsEffects ? [] : self.heldEffects ?? self.host?.effectNames ?? [])
            text.member("effectsIncomplete", ifTrue: endReason != nil && self.hasUnknownEffects(interaction))
            text.name("endReason")
            text.stringOrNull(endReason?.rawValue)
            text.member("follows", value: interaction.followsShown)
            text.name("ignoredParameters")
            text.strings(interaction.ignoredParameters)
            text.name("intent")
            interaction.intent.write(to: &text)
            if endReason != nil { text.member("next", interaction.setsAside?.interaction.text) }
            if endReason == nil, let pause = interaction.waiting?.pause {
                text.member("paused", value: ["since": .string(pause.since.description)])
            }
            text.member("phase", self.stage.rawValue)
            text.member("progress", value: note?.progress)
            text.name("response")
            text.object(response?.details ?? [:])
            text.member("retryUntil", retryUntil?.description)
            text.member("setsAside", interaction.setsAside?.interaction.text)
            text.member("started", value: self.started)
            text.member("status", status.rawValue)
            text.name("terminal")
            text.bool(endReason != nil)
            text.member("understood", value: self.understood(in: interaction))
            if endReason != nil, let until = self.undoableUntil {
                text.member("undo", value: UndoInteraction.offer(of: interaction.id, until: until))
            }
            self.write(interaction.undoing, isAtEnd: endReason != nil, to: &text)
            text.member(userNamed: interaction.user.id)
            text.member("userActivity", value: activityShown ?? .null)
            text.member("view", value: view ?? .null)
            text.member("warnings", value: mistakes.warnings(intent: interaction.intent.name))
            text.endObject()
        }
        if let activityData {
            self.emit(.userActivityCreated, about: interaction, to: .userActivities, data: activityData)
        }
    }

    /// Writes what is being undone, or what was undone and what was not.
    private func write(_ undoing: Undoing?, isAtEnd: Bool, to text: inout JSONText) {
        if let undoing, !isAtEnd {
            text.name("undoing")
            text.strings(undoing.left.map(\.name))
            return
        }
        let failures = undoing?.failures ?? []
        if !failures.isEmpty { text.member("undoFailed", value: .array(failures.map(\.json))) }
        let done = undoing?.done ?? self.undoneElsewhere
        guard isAtEnd, !done.isEmpty else { return }
        text.name("undone")
        text.strings(done)
    }

    /// The data of `user-activity.created`: the interaction is always filled in (behaviour 63).
    private func activityData(
        _ activity: UserActivity,
        of interaction: Interaction,
        code: String?,
        status: INIntentHandlingStatus,
        details: JSONObject
    ) -> JSONValue {
        var response = details
        response["code"] = code.map(JSONValue.string) ?? .null
        return .members([
            "activityType": .string(activity.activityType ?? interaction.intent.name),
            "interaction": .members([
                "dateInterval": [
                    "end": .string(self.now.description),
                    "start": .string(interaction.startedAt.description),
                ],
                "direction": "outgoing",
                "groupIdentifier": interaction.groupIdentifier.map(JSONValue.string),
                "identifier": interaction.id.json,
                "intent": interaction.intent.json,
                "intentHandlingStatus": .string(status.rawValue),
                "intentResponse": .object(response),
            ]),
            "title": activity.title.map(JSONValue.string),
            "user": ["id": .string(interaction.user.id)],
            "userInfo": .object(activity.userInfo),
        ])
    }
}
