package import IntentEvents
internal import IntentKit

/// One stage's processing of one event: the part that all stages share.
///
/// It has the state that it reads, what it writes, its journal record, the host of its handlers, and its clock. What
/// the stage does with the event is in `ResolveTurn`, `ConfirmTurn` and `HandleTurn` (`StageTurn`). A turn is a pure
/// function of its event, the state before it, its clock and its host's answers (R16, R42): nothing happens outside
/// until its result is committed, except effects, which keep a ledger of their own. One task uses it at a time.
package final class Turn {
    /// What all turns of the stage share.
    let environment: StageEnvironment
    /// The record and its circumstances.
    let input: TurnInput
    let identifiers: TurnIdentifiers
    /// The turn's clock: when it began, or when its last handler answered.
    private(set) var now: Timestamp
    /// The interaction after the last change; nil before, and while ``act(on:_:)`` has it lent out.
    private(set) var interaction: Interaction?
    /// The journal record so far.
    var record: TurnDraft
    /// Whether the parked turn of this user ends with this one.
    var endsParked = false
    /// The partition for answers, when the event becomes a dead letter in another one than its user's home.
    var answerPartition: Int?
    /// Whether the event goes to dead letters without its large parts.
    var isCut = false
    /// The state entries whose timers came too early.
    var earlyTimers: [StateName] = []
    /// The failure, for operators.
    var failure: TurnFailure?
    /// The parameter for which the event's answer has a value, if it is an answer with one.
    var answeredParameter: String?
    /// What the event's answer declines, if it declines an offer of a handler.
    var declinedOffer: (parameter: String, index: Int?)?
    /// The number of texts that were read as words (R73).
    var textsRead = 0
    /// What the handler sends with its response.
    var followUps = FollowUpList()
    /// How the interaction ended, if it did.
    var ending: InteractionEnd?
    /// The names of the effects that the ledger held when the interaction ended; nil before, and when it was not asked.
    var heldEffects: [String]?
    /// Until when the user may undo the interaction that has succeeded (R75); nil when nothing may be undone.
    var undoableUntil: Timestamp?
    /// The effects of another interaction that the turn has undone, in that order.
    var undoneElsewhere: [String] = []
    /// Whether the names of effects are left out, because no record with them could be written.
    var omitsEffects = false
    /// What the event's client probably did not mean; found when it is first asked for (R79).
    lazy var mistakes: [ClientMistake] = self.findMistakes()
    /// The wait after which the interaction is handled again, if it was a long one (R76).
    var waited: HandleWait?
    /// The oldest format that has everything that the turn reads and writes of its interaction (R57).
    private(set) var neededFormat = 1
    /// The format that the turn's worker may write, if anything depended on it; otherwise 1.
    private var journalFormat = 1
    /// Whether the interaction ends although it is not known whether its service call took effect (R76).
    var leavesOpen = false
    /// What the interaction waited for before the turn; nil when that was nobody.
    var awaited: AwaitedEvent?
    /// Whether the interaction begins to wait for an operator.
    var asksOperator = false
    /// Whether the interaction is lent out.
    private var isActing = false
    /// When the turn began, by the monotonic clock.
    private let began: Duration
    private var handlerDuration = Duration.zero
    /// Counts the calls of the turn's handler that are in flight; nil where nothing is measured.
    var handlerCalls: HandlerCalls?

    /// The turn's spans; nil before its trace is known, and when it is not traced (R66).
    private var spans: TurnSpans?
    /// Whether it is known if the turn is traced.
    private var isTraceKnown = false
    /// Whether this is only a note of a turn: that one has the spans.
    var isPartOfTurn = false

    /// What is registered for the intent of the interaction, once it was looked up.
    private var lookedUp: (name: String, entry: IntentRegistry.Entry?)?

    let source: any StateSource
    /// Receives what the handler says while it is running; nil for nobody.
    private let notes: (any NoteReceiver)?
    /// The host that replaces the outside world when the turn is run again.
    private let replayHost: (any StageHost)?
    private(set) var host: (any StageHost)?
    /// The context of the handlers that were called so far.
    private var contextMade: TurnContext?
    private var writes: StateWrites = [:]
    private var outputs: ShortList<TurnOutput> = []

    /// Starts a turn.
    ///
    /// - Parameters:
    ///   - environment: What all turns of the stage share.
    ///   - input: The record and its circumstances.
    ///   - now: The time.
    ///   - source: The user's state.
    ///   - notes: Receives what the handler says while it is running; nil for nobody.
    ///   - replayHost: The host that replaces the outside world when the turn is run again.
    package init(
        environment: StageEnvironment,
        input: TurnInput,
        now: Timestamp,
        source: any StateSource,
        notes: (any NoteReceiver)? = nil,
        replaying replayHost: (any StageHost)? = nil
    ) {
        self.environment = environment
        self.input = input
        self.now = now
        self.began = environment.clock.uptime
        self.source = source
        self.notes = notes
        self.replayHost = replayHost
        self.identifiers = environment.identifiers(of: input.stored.position)
        self.record = TurnDraft(
            stage: environment.stage,
            position: input.stored.position,
            eventID: input.event.id,
            eventType: input.event.type,
            userID: input.userID,
            at: now,
            attempt: input.attempt,
            worker: environment.worker,
            outcome: .ignored
        )
        self.record.firstTriedAt = input.firstTriedAt
        self.record.crash = input.crash
    }

    /// The event, or the readable parts of one that cannot be decoded.
    var event: Event { @inline(__always) _read { yield self.input.event } }
    var stage: Stage { self.environment.stage }
    /// The number of this try, with those before long waits.
    var attempt: Int { self.input.attempt + (self.waited?.attempts ?? 0) }
    var settings: RuntimeSettings { self.environment.settings }
    /// The partition of everything that belongs to this user.
    var partition: Int { self.input.stored.position.partition }

    /// What is registered for the intent of an interaction; looked up once, since a turn acts on one interaction.
    func registered(_ interaction: Interaction) -> IntentRegistry.Entry? {
        let name = interaction.intent.name
        if let known = self.lookedUp, known.name == name { return known.entry }
        let entry = self.environment.registry[name]
        self.lookedUp = (name, entry)
        return entry
    }

    /// The current state entry, as a tree; its value before the turn is journaled.
    func state(_ name: StateName) -> JSONValue? {
        if let written = self.writes[name] { return written.map { StateEntry.value($0.text) } }
        let value = self.source.value(name)
        self.record.before[name] = value?.utf8 ?? TurnRecord.absent
        return value
    }

    /// The current state entry, parsed; its value before the turn is journaled.
    func state<Form: StateForm>(_ name: StateName, _: Form.Type) -> Form? {
        if let written = self.writes[name] { return written?.form(Form.self) }
        guard let entry = self.source.entry(name) else {
            self.record.before[name] = TurnRecord.absent
            return nil
        }
        if let form = entry.known(Form.self) {
            self.record.before[name] = entry.text
            return form
        }
        let parsed = entry.parse(Form.self)
        self.record.before[name] = parsed.journaled
        if let updated = parsed.updated { self.source.keep(updated, name) }
        return parsed.form
    }

    /// The names of state entries of a family; the list is journaled.
    func stateNames(prefix: StateFamily) -> [StateName] {
        let names = self.source.names(prefix: prefix)
        self.record.before[.list(of: prefix)] = JSONText.bytes { $0.strings(names.map(\.text)) }
        return names
    }

    func setState(_ name: StateName, _ form: consuming some StateForm) { self.setState(name, StateEntry(form)) }

    func setState(_ name: StateName, _ entry: StateEntry) { self.writes[name] = .some(entry) }

    func removeState(_ name: StateName) { self.writes[name] = .some(nil) }

    /// Acts on an interaction: `body` has exclusive access, and changes it in place.
    ///
    /// Whether `body` returns or throws, the changed interaction becomes the turn's: the report of the end shows it,
    /// and no caller has to put it back. What the event's client probably did not mean is added to it (R79).
    func act<Value>(
        on interaction: consuming Interaction,
        _ body: (inout Interaction) async throws -> Value
    ) async rethrows -> Value {
        var interaction = interaction
        interaction.add(self.mistakes)
        self.lend(interaction)
        defer { self.endActing(interaction) }
        return try await body(&interaction)
    }

    /// Acts on an interaction without waiting for anything.
    func act<Value>(
        on interaction: consuming Interaction,
        _ body: (inout Interaction) throws -> Value
    ) rethrows -> Value {
        var interaction = interaction
        interaction.add(self.mistakes)
        self.lend(interaction)
        defer { self.endActing(interaction) }
        return try body(&interaction)
    }

    private func lend(_ interaction: Interaction) {
        // The inner call's changes would be lost.
        precondition(!self.isActing, "A turn acts on one interaction at a time.")
        self.isActing = true
        self.interaction = nil
        self.needFormat(of: interaction)
    }

    private func endActing(_ interaction: consuming Interaction) {
        self.isActing = false
        self.needFormat(of: interaction)
        self.interaction = interaction
    }

    /// Marks what the turn writes with the format of what it reads or writes.
    func needFormat(of interaction: Interaction) { self.neededFormat = max(self.neededFormat, interaction.format) }

    /// Marks what the turn writes with format 2.
    func needFormat2() { self.neededFormat = max(self.neededFormat, 2) }

    /// Whether the turn may write what occurs only in format 2 (R57).
    ///
    /// That depends on the setting, unless no worker that reads only 1 could have its interaction. The journal record shows
    /// the setting, which a replay needs.
    func mayWriteFormat2() -> Bool {
        guard self.neededFormat < 2 else { return true }
        self.journalFormat = self.writableFormat
        return self.journalFormat >= 2
    }

    /// The format that the turn may write before anything else is known of its interaction.
    private var writableFormat: Int { self.input.steps.isEmpty ? self.settings.formats.writes : 2 }

    /// Detaches the interaction: neither the journal record nor a failure names it any more.
    func detachInteraction() { self.interaction = nil }

    func output(_ output: TurnOutput) { self.outputs.append(output) }

    /// Discards what the turn read, when the journal could not hold it.
    func discardReads() {
        self.record.before = [:]
        self.record.isTruncated = true
        self.host = nil
        self.contextMade = nil
    }

    /// Discards the interaction's values, when no record with them could be written.
    func discardValues() { self.interaction?.discardValues() }

    func discardOutputs() {
        self.writes = [:]
        self.outputs = []
        self.endsParked = false
        self.ending = nil
        self.asksOperator = false
        self.followUps = FollowUpList()
    }

    /// The host of handlers; made when the first one is called, for its interaction.
    func stageHost(for interaction: Interaction?) -> any StageHost {
        if let host = self.host { return host }
        self.startSpans(interaction)
        let host =
            self.replayHost
            ?? LiveTurnHost(
                environment: self.environment,
                identifiers: self.identifiers,
                attempt: self.input.attempt,
                interaction: interaction,
                user: self.input.userID,
                source: self.source,
                steps: self.input.steps,
                notes: self.notes,
                spans: self.spans
            )
        self.host = host
        return host
    }

    /// Starts the turn's spans, if it is traced: it belongs to the trace of its interaction's request (R66).
    private func startSpans(_ interaction: Interaction?) {
        guard let tracing = self.environment.tracing, !self.isTraceKnown, !self.isPartOfTurn else { return }
        self.isTraceKnown = true
        let origin = tracing.origin(
            interaction?.passedThrough ?? self.event.passedThrough,
            deployment: self.environment.deployment,
            position: interaction?.request.text ?? self.input.stored.position.description
        )
        guard let origin else { return }
        let spans = TurnSpans(
            tracing,
            origin,
            of: self.input,
            in: self.environment,
            at: self.record.at,
            began: self.began,
            hasInteraction: interaction != nil
        )
        spans.link(self.event.passedThrough)
        self.spans = spans
    }

    /// The context of handlers, made once for all handlers of the turn.
    func context(for interaction: Interaction) -> TurnContext {
        if let context = self.contextMade, context.interactionID == interaction.id.text,
            context.user == interaction.user, context.device == interaction.device,
            context.declinedValues == interaction.declinedValues
        {
            return context
        }
        let script = self.environment.isScripted ? interaction.passedThrough[EventHeaderName.script] : nil
        if script != nil { self.record.isScripted = true }
        let context = TurnContext(
            interactionID: interaction.id.text,
            originalInteractionID: interaction.originalID.text,
            groupIdentifier: interaction.groupIdentifier,
            user: interaction.user,
            device: interaction.device,
            locale: interaction.locale,
            timeZone: self.timeZone(of: interaction),
            now: self.record.at.date,
            attempt: self.attempt,
            script: script,
            keys: interaction.idempotencyKeys(deployment: self.environment.deployment),
            declinedValues: interaction.declinedValues,
            followsFrom: interaction.followsFrom.map {
                FollowedFrom(name: $0.name, interactionID: interaction.follows?.text, depth: $0.depth)
            },
            followUps: self.followUpScope,
            host: self.stageHost(for: interaction)
        )
        self.contextMade = context
        return context
    }

    /// The follow-ups that the turn's handler can send.
    private var followUpScope: FollowUpScope {
        guard self.stage == .handle, self.event.followedRequest == nil else { return .none }
        // What it sends is of format 2, and only that has to be known to a replay.
        return max(self.writableFormat, self.neededFormat) >= 2 ? .all : .notifications
    }

    /// The name of the user's time zone; that of the default one where this machine has no zone of that name (R73).
    private func timeZone(of interaction: Interaction) -> String {
        guard let name = interaction.timeZone, UserTimeZone.isKnown(name) else { return self.settings.timeZone }
        return name
    }

    /// Calls a handler, and measures its duration.
    func calling<Value>(_ handler: () async throws -> Value) async throws -> Value {
        let (began, calls) = (self.environment.clock.uptime, self.handlerCalls)
        calls?.begin()
        defer {
            calls?.end()
            self.handlerDuration += self.environment.clock.uptime - began
        }
        guard let spans = self.spans else { return try await handler() }
        return try await spans.within(handler)
    }

    /// Reads the time again after a slow handler, so that deadlines count from its answer.
    func handlerAnswered() {
        let answered = self.stageHost(for: self.interaction).currentTime()
        guard answered - self.record.at >= 100 else { return }
        self.now = answered
        self.record.until = answered
    }

    /// What the turn's dead letter passes on from its interaction; nil when there is none, or nothing (R48).
    private var redriveState: RedriveState? {
        guard self.environment.passesOnAnswers, self.outputs.contains(where: { $0.topic == .deadLetters }),
            let state = self.interaction?.redriveState, !state.isEmpty
        else { return nil }
        return state
    }

    /// Moves the journal record into a result: it has too many parts to copy.
    private func takeRecord() -> TurnDraft {
        var record = TurnDraft(
            stage: self.stage,
            position: self.record.position,
            eventID: "",
            eventType: "",
            userID: "",
            at: self.record.at,
            attempt: self.record.attempt,
            worker: "",
            outcome: .ignored
        )
        swap(&record, &self.record)
        return record
    }

    /// Continues a turn whose result cannot be written: another one follows.
    func reopen(_ result: TurnResult) { self.record = result.record }

    /// Ends the turn.
    ///
    /// - Parameter retryAt: When it is to be tried again, if it is.
    /// - Returns: The result, which takes the journal record over.
    func result(retryAt: Timestamp? = nil) -> TurnResult {
        self.record.interactionID = self.interaction?.id ?? self.record.interactionID
        self.record.request = self.interaction?.request ?? self.record.request
        self.record.intentName = self.interaction?.intent.name ?? self.record.intentName
        self.record.reads = self.host?.reads ?? []
        switch self.record.outcome {
        // A later turn acts on the event, or none does.
        case .forwarded, .parked, .ignored: break
        // The first stage has named those of an event that every stage receives.
        case .noted where self.stage != .resolve: break
        default: self.record.mistakes = self.mistakes
        }
        self.startSpans(self.interaction)
        let awaited = self.awaited?.end(self.interaction, self.input, of: self.record, endsParked: self.endsParked)
        if let spans = self.spans {
            let intent = self.environment.registry.label(self.record.intentName)
            spans.record(self.record, self.ending, self.failure, intent: intent)
            if let awaited { spans.record(awaited) }
            if self.record.outcome == .prompted, let prompt = self.interaction?.prompt {
                spans.record(asked: prompt.kind)
            }
        }
        for (name, entry) in self.writes where name.hasPrefix(StateName.vocabularies) {
            // Prepared here, not by the next request: preparing a vocabulary is kept off the hot path.
            guard let text = entry?.text else { continue }
            _ = self.environment.vocabularies.vocabulary(name, user: self.event.userID, text: text)
        }
        let endedAt = self.environment.clock.uptime
        return TurnResult(
            input: self.input,
            writes: self.writes,
            outputs: self.outputs,
            record: self.takeRecord(),
            retryAt: retryAt,
            endsParked: self.endsParked,
            answerPartition: self.answerPartition,
            isCut: self.isCut,
            earlyTimers: self.earlyTimers,
            failure: self.failure,
            redrive: self.redriveState,
            neededFormat: self.neededFormat,
            journalFormat: max(self.journalFormat, self.neededFormat),
            end: self.ending,
            asksOperator: self.asksOperator,
            awaited: awaited,
            endedAt: endedAt,
            duration: (endedAt - self.began).nanoseconds,
            handlerDuration: self.handlerDuration.nanoseconds,
            spans: self.spans
        )
    }
}
