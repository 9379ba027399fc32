internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Gathers the interactions of one partition from its turns, and plays each one as soon as it is complete.
final class PartitionShadow {
    /// The number of interactions that are gathered before they are played.
    private static let chunk = 256

    private let shadow: ShadowReplayer
    private let range: JournalRange
    private let width: Int
    private let tally: ShadowReplayer.Tally
    private let progress: (Int64) -> Void
    private var windows: [Topic: EventWindow] = [:]
    /// What clients read, by topic.
    private var shown: [Topic: ResponseWindow] = [:]
    private var open: [RequestID: ShadowCase] = [:]
    private var complete: [ShadowCase] = []
    /// The users' vocabularies, by state name, at this position of the journal.
    private var vocabularies: [UserID: [StateName: JSONValue]] = [:]

    init(
        _ shadow: ShadowReplayer,
        _ range: JournalRange,
        width: Int,
        _ tally: ShadowReplayer.Tally,
        progress: @escaping (Int64) -> Void
    ) {
        self.shadow = shadow
        self.range = range
        self.width = width
        self.tally = tally
        self.progress = progress
    }

    func run() async throws {
        do {
            try await self.runAll()
        } catch {
            await self.close()
            throw error
        }
        await self.close()
    }

    private func close() async {
        for window in self.windows.values { await window.close() }
        for window in self.shown.values { await window.close() }
    }

    private func runAll() async throws {
        let cursor = PartitionCursor(
            self.shadow.log,
            self.topicPartition(.journal),
            from: self.range.start,
            to: self.range.end
        )
        var position = self.range.start
        while let records = try await cursor.next() {
            for record in records { try await self.receive(record) }
            self.progress(self.tally.advance(cursor.position - position))
            position = cursor.position
            if self.complete.count >= Self.chunk { await self.playAll() }
        }
        // An interaction that has not ended is played as far as it had got.
        self.complete += self.open.values.sorted { $0.request < $1.request }
        await self.playAll()
    }

    private func topicPartition(_ topic: Topic) -> TopicPartition {
        self.shadow.environment.topicPartition(topic, self.range.partition)
    }

    // MARK: Gathering

    private func receive(_ record: LogRecord) async throws {
        guard let turn = TurnRecord(record) else { return }
        if turn.stage == .resolve, turn.outcome == .noted { try await self.recordVocabulary(turn) }
        guard self.shadow.selection.includes(record, anyStage: true), let request = turn.request else { return }
        var recorded: ShadowCase
        if let known = self.open[request] {
            recorded = known
        } else {
            // Only its opening turn begins an interaction: one that began before the range cannot be played, and what
            // follows the end is no part of it.
            guard turn.opened || turn.eventType == EventType.intentRequested.rawValue && turn.isParkingNote else {
                if turn.outcome == .ended { self.tally.addLeftOut() }
                return
            }
            recorded = ShadowCase(request: request, turn)
            recorded.vocabularies = self.vocabularies[turn.userID] ?? [:]
        }
        recorded.append(turn)
        try await self.addEvent(of: turn, to: &recorded)
        try await self.addOutputs(of: turn, near: record, to: &recorded)
        self.open[request] = recorded
        guard turn.outcome == .ended else { return }
        self.open[request] = nil
        self.complete.append(recorded)
    }

    private func recordVocabulary(_ turn: TurnRecord) async throws {
        switch EventType(rawValue: turn.eventType) {
        case .vocabularyRemoved: self.vocabularies[turn.userID] = nil
        case .vocabularyReplaced:
            guard let event = try await self.event(of: turn)?.decoded(),
                let type = event.data["type"]?.string.flatMap(VocabularyStringType.init(rawValue:))
            else { return }
            self.vocabularies[turn.userID, default: [:]][StateName.vocabulary(type)] = [
                "version": .string(turn.position.description), "strings": event.data["strings"] ?? [],
            ]
        default: break
        }
    }

    /// Adds the event of a turn that is about something the user said.
    private func addEvent(of turn: TurnRecord, to recorded: inout ShadowCase) async throws {
        let isRequest = turn.eventType == EventType.intentRequested.rawValue
        let isSaid: Bool =
            switch EventType(rawValue: turn.eventType) {
            case .promptAnswered, .appResponded, .interactionResumed, .operatorDecided: true
            case .interactionCancelled, .timerFired: turn.outcome == .ended
            default: false
            }
        let key = TurnKey(turn.stage, turn.position)
        guard isRequest || isSaid, !turn.isOfRunningTurn || isRequest else { return }
        guard recorded.opening == nil || !isRequest, !recorded.moves.contains(where: { $0.turn == key }),
            let stored = try await self.event(of: turn)
        else { return }
        if isRequest {
            recorded.opening = stored
        } else if let content = try? stored.decoded() {
            let move = ShadowCase.Move(
                turn: key,
                event: stored,
                content: content,
                prompt: ShadowCase.prompt(before: turn),
                running: ShadowCase.running(before: turn)
            )
            switch content.knownType {
            case .interactionCancelled, .timerFired: recorded.end = move
            default: recorded.moves.append(move)
            }
        }
    }

    private func event(of turn: TurnRecord) async throws -> StoredRecord? {
        guard let range = self.range.inputs[turn.position.topic] else { return nil }
        guard turn.position.offset >= range.lowerBound else {
            throw AuditError(
                .cutByRetention,
                "Retention has removed \(turn.position), a part of the range to play. Start later (--since)."
            )
        }
        let topic = turn.position.topic
        let window =
            self.windows[topic] ?? EventWindow(self.shadow.log, topic, self.topicPartition(topic), range: range)
        self.windows[topic] = window
        return try await window.event(at: turn.position.offset, for: turn.stage)
    }

    /// Adds what clients read of a turn.
    private func addOutputs(
        of turn: TurnRecord,
        near record: LogRecord,
        to recorded: inout ShadowCase
    ) async throws {
        // When a notice that it takes longer comes depends on time alone.
        guard turn.outcome != .reported || turn.eventType != EventType.timerFired.rawValue else { return }
        let identifiers = TurnIdentifiers(
            deployment: self.shadow.environment.deployment,
            stage: turn.stage,
            position: turn.position
        )
        for (ordinal, output) in turn.outputs.enumerated() {
            guard let topic = Self.shownTopics.first(where: { $0.rawValue == output.target }) else { continue }
            let id = identifiers.id(generation: turn.generation, ordinal: String(ordinal))
            let window = try await self.window(of: topic, near: record)
            guard let shown = try await window.remove(id), let value = shown.value else {
                guard topic == .responses else {
                    recorded.lacksActivities = true
                    continue
                }
                throw AuditError(
                    .cutByRetention,
                    "The response of turn \(RecordPosition(.journal, self.range.partition, record.offset)) is no longer on "
                        + "\(self.topicPartition(.responses)): how its interaction ended is unknown."
                )
            }
            let type = shown.header(EventHeaderName.type).flatMap(EventType.init(rawValue:))
            recorded.seen.record(type, (try? JSONValue(parsing: value)) ?? .null, bytes: value.count)
        }
    }

    /// The topics that clients read.
    private static let shownTopics: [Topic] = [.responses, .userActivities]

    private func window(of topic: Topic, near record: LogRecord) async throws -> ResponseWindow {
        if let window = self.shown[topic] { return window }
        let topicPartition = self.topicPartition(topic)
        let time = OffsetQuery.time(record.timestamp - 60_000)
        let start = try await self.shadow.log.offsets([topicPartition], at: time)[topicPartition] ?? 0
        let end = try await self.shadow.log.offsets([topicPartition], at: .end)[topicPartition] ?? 0
        let window = ResponseWindow(PartitionCursor(self.shadow.log, topicPartition, from: start, to: end))
        self.shown[topic] = window
        return window
    }

    // MARK: Playing

    private func playAll() async {
        let cases = self.complete
        self.complete = []
        let (shadow, tally, width) = (self.shadow, self.tally, self.width)
        await withTaskGroup(of: Void.self) { group in
            let slice = max(1, (cases.count + width - 1) / width)
            for start in stride(from: 0, to: cases.count, by: slice) {
                let part = cases[start..<min(start + slice, cases.count)]
                group.addTask {
                    for recorded in part {
                        guard var play = ShadowPlay(recorded, shadow.environment, timeout: shadow.timeout) else {
                            tally.addLeftOut()
                            continue
                        }
                        let seen = await play.run()
                        let differences = ShadowDifference.all(
                            recorded.seen,
                            seen,
                            ignoringNewMembers: recorded.isOfOtherBehaviour,
                            ignoringActivities: recorded.lacksActivities,
                            masked: shadow.masked
                        )
                        tally.add(recorded, seen.ending, differences)
                    }
                }
            }
        }
    }
}
