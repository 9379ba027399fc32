internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Plays one recorded interaction with today's handlers, from its request on (R44).
///
/// All three stages run in one place, one event after the other. What a stage passes on goes to the next stage at once,
/// and a prompt gets what was said to the same prompt in the recording. Nothing is waited for, and nothing is parked,
/// except a turn that was never answered, when its recorded end is played.
///
/// A cancellation or a deadline that ended the interaction ends it again: at the same prompt or in the same turn, or
/// where nothing else that was said fits what is asked now.
struct ShadowPlay {
    private struct Step {
        var stage: Stage
        var event: StoredRecord
    }

    /// A stage's state as this interaction has it.
    private struct Memory: StateSource {
        var entries: [StateName: StateEntry]

        func entry(_ name: StateName) -> StateEntry? { self.entries[name] }
        func names(prefix: StateFamily) -> [StateName] { self.entries.keys.filter { $0.hasPrefix(prefix) }.sorted() }
    }

    private let recorded: ShadowCase
    private let environment: StageEnvironment
    private let handlerTimeout: Duration
    private var moves: [ShadowCase.Move]
    /// The recorded end, until it is played.
    private var end: ShadowCase.Move?
    private var memory: [Stage: Memory] = [:]
    private var steps: ArraySlice<Step> = []
    private var passed: [String: Int] = [:]
    private var clock: Timestamp
    private var seen = ShadowTranscript()
    /// The effects that turns have called so far.
    private var effects: [String] = []

    /// Prepares to play a case that has its request.
    init?(_ recorded: ShadowCase, _ environment: StageEnvironment, timeout: Duration) {
        guard let opening = recorded.opening else { return nil }
        self.recorded = recorded
        self.environment = environment
        self.handlerTimeout = timeout
        self.moves = recorded.moves
        self.end = recorded.end
        self.clock = opening.timestamp
        let vocabularies = recorded.vocabularies.mapValues { StateEntry(text: $0.utf8) }
        for stage in Stage.allCases { self.memory[stage] = Memory(entries: vocabularies) }
        self.steps = [Step(stage: .resolve, event: opening)]
        self.restoreAside(opening)
    }

    /// Restores what the opening turn found of the conversation that it sets aside (R78), which is not played.
    private mutating func restoreAside(_ opening: StoredRecord) {
        guard (try? opening.decoded())?["setsAside"] != nil,
            let before = self.recorded.results(of: TurnKey(.resolve, opening.position)).first?.before
        else { return }
        for (name, text) in before where text != TurnRecord.absent {
            guard name.hasPrefix(StateName.knownInteractions) || name.hasPrefix(StateName.interactions) else {
                continue
            }
            self.memory[.resolve]?.entries[name] = StateEntry(text: text)
        }
    }

    /// Plays it to its end, or as far as the recorded moves reach.
    mutating func run() async -> ShadowTranscript {
        var count = 0
        while !self.seen.ending.isOver, self.seen.ending.lacks.isEmpty {
            count += 1
            // A stage that sends an interaction back and forth would never end.
            guard count < 1_000 else {
                self.seen.ending.lacks.append("does not end")
                break
            }
            if let step = self.steps.popFirst() {
                await self.play(step)
            } else if !self.proceed() {
                break
            }
        }
        return self.seen
    }

    // MARK: Turns

    private mutating func play(_ step: Step) async {
        let key = TurnKey(step.stage, step.event.position)
        let results = self.recorded.results(of: key)
        var attempt = 1
        var firstTriedAt: Timestamp?
        while true {
            let then = results.last { $0.attempt == attempt } ?? (attempt == 1 ? results.first : nil)
            self.clock = max(self.clock, then?.at ?? self.recorded.turns[key]?.first?.at ?? self.clock)
            // A handler that made its process crash is not called today either: it would crash this process.
            let crash = self.recorded.turns[key]?.last { $0.crash != nil }?.crash
            let input = TurnInput(step.event, attempt: attempt, firstTriedAt: firstTriedAt, crash: crash)
            let isUnanswered = self.recorded.turns[key] != nil && !results.contains { $0.attempt >= attempt }
            let isCancelled = self.endedDuring(step) && self.end?.content.knownType == .interactionCancelled
            if isUnanswered, isCancelled || !self.recorded.ending.isOver {
                // It was running when the user gave up, or the range ended. How long it would take today is not known,
                // so it is not run.
                self.endUnanswered(step, attempt: attempt)
                return
            }
            let host = self.host(key, then, attempt: attempt)
            let answer = await self.run(input, host, at: self.clock, stage: step.stage)
            guard let result = answer, host.lacks.isEmpty else {
                // It was not answered before its time was up, so what it would have asked for is not known.
                if isUnanswered, self.endedDuring(step) {
                    self.endUnanswered(step, attempt: attempt)
                } else {
                    self.seen.ending.lacks += answer == nil ? ["does not answer"] : host.lacks
                }
                return
            }
            self.effects = host.effectNames.joined(to: self.effects)
            if result.retryAt != nil {
                attempt += 1
                firstTriedAt = firstTriedAt ?? self.clock
                continue
            }
            self.apply(result, of: step)
            return
        }
    }

    private func host(_ key: TurnKey, _ then: TurnRecord?, attempt: Int) -> ShadowTurnHost {
        let turns = self.recorded.order.flatMap { other in
            self.recorded.results(of: other).map { (other.stage == key.stage, $0.reads) }
        }
        return ShadowTurnHost(
            own: then?.reads ?? [],
            others: turns.filter(\.0).flatMap(\.1) + turns.filter { !$0.0 }.flatMap(\.1),
            foreignEffects: self.recorded.foreignEffects,
            earlierEffects: self.effects,
            now: then?.until ?? self.clock,
            identifiers: TurnIdentifiers(
                deployment: self.environment.deployment,
                stage: key.stage,
                position: key.position
            ),
            attempt: attempt,
            source: self.memory[key.stage] ?? Memory(entries: [:]),
            globalVocabularies: self.environment.globalVocabularies
        )
    }

    private func run(
        _ input: TurnInput,
        _ host: ShadowTurnHost,
        at now: Timestamp,
        stage: Stage
    ) async -> TurnResult? {
        guard input.error == nil else { return nil }
        let turns = self.recorded.turns.values.joined()
        let isProved =
            input.event.knownType == .operatorDecided
            ? turns.lazy.compactMap(\.isDecided).first : turns.lazy.compactMap(\.isRedriven).first
        let environment = self.environment.with(
            stage: stage,
            isScripted: self.recorded.turns.values.contains { $0.contains(where: \.isScripted) },
            redrive: .recorded(isProved)
        )
        let source = self.memory[stage] ?? Memory(entries: [:])
        return await TimeLimit.run(self.handlerTimeout) {
            await Turn(environment: environment, input: input, now: now, source: source, replaying: host).run()
        }
    }

    // MARK: Turns that were never answered

    /// Whether the interaction ended while the turn of a step was running.
    private func endedDuring(_ step: Step) -> Bool { self.end?.running == step.event.position }

    /// Parks a turn that was never answered, and plays the event that ended it; without one, the interaction stays
    /// open.
    private mutating func endUnanswered(_ step: Step, attempt: Int) {
        guard let end = self.end else { return }
        self.end = nil
        let deadline = end.content.data["deadline"]?.string.flatMap(Timestamp.init)
        var parked = ParkedTurn(
            event: step.event,
            interactionID: self.recorded.interactionID,
            startedAt: self.clock,
            timeoutAt: deadline ?? .distantFuture
        )
        parked.attempt = attempt
        self.memory[step.stage]?.entries[StateName.parked] = StateEntry(parked)
        self.steps.append(Step(stage: step.stage, event: end.event))
    }

    /// The types of signals that are about other interactions.
    private static let typesForOthers: Set<EventType> = [.followUpScheduled, .interactionCancelled, .promptRecalled]

    private mutating func apply(_ result: TurnResult, of step: Step) {
        for (name, entry) in result.writes {
            self.memory[step.stage]?.entries[name] = entry
            if name.hasPrefix(StateName.interactions), entry.flatMap({ Interaction(text: $0.text) })?.undoing != nil {
                self.seen.ending.lacks.append("undoes what was done, which is not played")
            }
        }
        for output in result.outputs {
            switch output {
            case .event(.responses, let draft), .event(.userActivities, let draft):
                let data = (try? JSONValue(parsing: draft.value)) ?? .null
                self.seen.record(draft.type, data, bytes: draft.value.count)
            // What follows is an interaction of its own, and so is what was set aside.
            case .event(.signals, let draft) where Self.typesForOthers.contains(draft.type):
                break
            case .event(let topic, let draft):
                let next = topic == .signals ? draft.stage : Stage.allCases.first { $0.inputTopic == topic }
                guard let next else { continue }
                self.steps.append(Step(stage: next, event: self.event(draft, to: topic, for: next)))
            case .forward(let topic, _, let stage):
                let next = stage ?? Stage.allCases.first { $0.inputTopic == topic }
                if let next, next != step.stage { self.steps.append(Step(stage: next, event: step.event)) }
            case .addressed, .deadLetter: break
            }
        }
    }

    /// What a stage passes on, at the position that it had in the recording: ids and random numbers derive from it.
    private mutating func event(_ draft: EventDraft, to topic: Topic, for stage: Stage) -> StoredRecord {
        let key = "\(topic.rawValue)/\(draft.type.rawValue)/\(stage)"
        let count = self.passed[key, default: 0]
        self.passed[key] = count + 1
        let keys = self.recorded.keys(of: stage, on: topic, type: draft.type)
        let partition = self.recorded.opening?.position.partition ?? 0
        let position =
            keys.indices.contains(count)
            ? keys[count].position : RecordPosition(topic, partition, 1 << 60 + Int64(self.passed.values.reduce(0, +)))
        return self.stored(draft, at: position, timestamp: self.clock)
    }

    private func stored(_ draft: EventDraft, at position: RecordPosition, timestamp: Timestamp) -> StoredRecord {
        let event = Event(
            id: position.description,
            source: "/intentd/shadow",
            type: draft.type,
            time: draft.time,
            subject: draft.subject,
            userID: draft.userID,
            stage: draft.stage,
            request: draft.request,
            passedThrough: draft.passedThrough,
            data: .null
        )
        let record = LogRecord(
            topicPartition: self.environment.topicPartition(position.topic, position.partition),
            offset: position.offset,
            timestamp: timestamp.milliseconds,
            key: Array(draft.userID.utf8),
            value: draft.value,
            headers: event.headers
        )
        return StoredRecord(record, topic: position.topic)
    }

    // MARK: What was said

    /// Gives what was said in the recording to the prompt that is open now.
    ///
    /// - Returns: Whether there was something to give; if not, the interaction stays as it is.
    private mutating func proceed() -> Bool {
        guard let (stage, interaction) = self.open else { return false }
        guard let prompt = interaction.prompt else {
            guard interaction.appDeadline != nil || interaction.waiting?.reason == .operator else { return false }
            guard let index = self.moves.firstIndex(where: { $0.prompt == nil }) else {
                return self.playEnd(stage, interaction)
            }
            return self.play(self.moves.remove(at: index), stage, interaction)
        }
        func asks(_ move: ShadowCase.Move, exactly: Bool) -> Bool {
            guard let other = move.prompt else { return false }
            return other.parameter == prompt.parameter && other.index == prompt.index
                && (other.kind == prompt.kind || !exactly && move.content.data["value"] != nil)
        }
        var index = self.moves.firstIndex { asks($0, exactly: true) }
        if index == nil, !(self.end.map { asks($0, exactly: true) } ?? false) {
            index = self.moves.firstIndex { asks($0, exactly: false) }
        }
        guard let index else {
            if self.playEnd(stage, interaction) { return true }
            // Where nobody said anything in the recording either, the interaction is open now as it was then.
            if !self.recorded.ending.isOver, self.moves.isEmpty { return false }
            let name = prompt.parameter.map { "\(prompt.kind.rawValue):\($0)" } ?? prompt.kind.rawValue
            self.seen.ending.lacks.append("asks \(name), which has no recorded answer")
            return false
        }
        return self.play(self.moves.remove(at: index), stage, interaction)
    }

    /// Plays the recorded end, at whatever waits now.
    private mutating func playEnd(_ stage: Stage, _ interaction: Interaction) -> Bool {
        guard let end = self.end else { return false }
        self.end = nil
        return self.play(end, stage, interaction)
    }

    /// The interaction that waits, and the stage where it waits.
    private var open: (Stage, Interaction)? {
        for stage in Stage.allCases {
            let entry = self.memory[stage]?.entries[StateName.interaction(self.recorded.request)]
            if let interaction = entry.flatMap({ Interaction(text: $0.text) }) { return (stage, interaction) }
        }
        return nil
    }

    /// Gives the prompt that is open now what was said to the prompt in the recording.
    private mutating func play(_ move: ShadowCase.Move, _ stage: Stage, _ interaction: Interaction) -> Bool {
        var event = move.event
        let promptID = interaction.prompt?.id(interaction: interaction.id, stage: stage)
        switch move.content.knownType {
        case .timerFired:
            guard let timer = self.timer(of: interaction) else { return true }
            // It comes at its deadline.
            self.clock = max(self.clock, timer.deadline)
            guard let draft = timer.event(of: interaction, stage: stage, now: self.clock)?.draft else {
                return true
            }
            event = self.stored(draft, at: event.position, timestamp: event.timestamp)
        case .promptAnswered, .interactionResumed:
            var data = move.content.data.object ?? [:]
            data["promptId"] = promptID?.json
            Self.translateChoice(&data, from: move.prompt?.options ?? [], to: interaction.prompt?.options ?? [])
            var content = move.content
            content.data = .object(data)
            event.content = RecordContent(key: event.key, value: content.data.utf8, headers: content.headers)
        default: break
        }
        self.clock = max(self.clock, self.recorded.turns[move.turn]?.first?.at ?? self.clock)
        self.steps.append(Step(stage: stage, event: event))
        return true
    }

    /// The timer of the deadline that has passed, as today's interaction has it.
    private func timer(of interaction: Interaction) -> PendingTimer? {
        let name = StateName.interaction(interaction.request)
        return interaction.timers(name: name, user: UserID(interaction.user.id))
            .first { $0.kind == (interaction.prompt == nil ? .app : .prompt) }
    }

    /// Translates a choice, an index into the recorded options, to an index into today's, or to the value itself.
    private static func translateChoice(
        _ data: inout JSONObject,
        from then: [JSONValue],
        to now: [JSONValue]
    ) {
        guard let choice = data["choice"]?.integer, then.indices.contains(Int(choice)) else { return }
        let value = then[Int(choice)]
        if let index = now.firstIndex(of: value) {
            data["choice"] = .integer(Int64(index))
        } else {
            data["choice"] = nil
            data["value"] = value
        }
    }
}
