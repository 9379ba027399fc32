internal import IntentEvents
internal import IntentRuntime

/// The verification of one partition: its turns in order, each with what it processed and wrote.
///
/// The journal's end is read first and the other ends afterwards. All that its turns have processed and written is then
/// before those ends, even while the deployment runs.
struct PartitionVerification {
    /// An event that a turn sent to another partition.
    struct SentHome: Sendable {
        var digest: String
        var turn: RecordPosition
    }

    struct Result: Sendable {
        var report: AuditReport
        var sentHome: [SentHome]
        /// What turns did to the effects' ledger.
        var effects: JournaledEffects
    }

    /// The bound, in milliseconds, on the difference between the times of records of one transaction or of adjacent
    /// ones.
    private static let skew: Int64 = 60_000

    private static let topics: [Topic] = [
        .requests, .resolved, .confirmed, .signals, .responses, .userActivities, .deadLetters,
    ]

    private let log: any EventLog
    private let deployment: Deployment
    private let partition: Int
    private var report = AuditReport()
    private var sentHome: [SentHome] = []
    private var indexes: [Topic: RecordIndex] = [:]
    private var chains: ChainCheck
    private var state = StateCheck()
    private var effects: JournaledEffects
    private let retention: Int64?
    private let now: Timestamp
    private let tally: ReadingTally
    private var reached: [Topic: [Stage: Int64]] = [:]
    private var repeats = RepeatCheck()

    /// Prepares to verify a partition.
    ///
    /// - Parameters:
    ///   - verifier: The topics.
    ///   - partition: The partition's number.
    ///   - anchors: Its heads that were kept elsewhere.
    ///   - retention: The time for which the journal keeps records, in milliseconds; nil when that is not known.
    ///   - now: The time.
    ///   - tally: Counts what is read.
    init(
        _ verifier: AuditVerifier,
        partition: Int,
        anchors: [AnchoredHead],
        retention: Int64?,
        now: Timestamp,
        tally: ReadingTally
    ) {
        self.tally = tally
        self.effects = JournaledEffects(partition: partition)
        self.retention = retention
        self.now = now
        self.log = verifier.log
        self.deployment = verifier.deployment
        self.partition = partition
        self.chains = ChainCheck(partition: partition, anchors: anchors)
    }

    mutating func run() async throws -> Result {
        let journal = self.topicPartition(.journal)
        let start = try await self.log.offsets([journal], at: .earliest)[journal] ?? 0
        let end = try await self.log.offsets([journal], at: .lastStable)[journal] ?? 0
        try await self.readTopics()
        var firstTime = Int64.max - Self.skew
        self.chains.isCut = start > 0
        if start > 0 { self.report.notes.append("Retention has removed \(journal) up to offset \(start).") }
        let cursor = PartitionCursor(self.log, journal, from: start, to: end)
        var position = start
        while let records = try await cursor.next() {
            self.tally.advance(by: cursor.position - position)
            position = cursor.position
            for record in records {
                firstTime = min(firstTime, record.timestamp)
                self.verify(record, isTail: false)
            }
        }
        // The state may be newer than the turns that were read: the turns that follow meanwhile count too.
        let entries = try await self.readState()
        let later = try await self.log.offsets([journal], at: .end)[journal] ?? end
        let tail = PartitionCursor(self.log, journal, from: end, to: later)
        while let records = try await tail.next() {
            for record in records { self.verify(record, isTail: true) }
        }
        self.report.findings += self.chains.findings
        let missing = self.chains.missingAnchors(
            before: start,
            firstTime: firstTime == Int64.max - Self.skew ? nil : firstTime,
            retention: self.retention,
            now: self.now
        )
        self.report.findings += missing.findings
        self.report.notes += missing.notes
        self.report.anchors = self.chains.anchorsFound
        self.verify(entries, isCut: start > 0)
        // Where the journal's beginning is gone, records of about that time may come from turns that were removed with
        // it.
        self.findUnaccounted(since: start > 0 ? firstTime + Self.skew : .min)
        self.effects.since = start > 0 ? firstTime + Self.skew : .min
        self.effects.origins = self.indexes[.requests]?.origins ?? [:]
        return Result(report: self.report, sentHome: self.sentHome, effects: self.effects)
    }

    private func topicPartition(_ topic: Topic) -> TopicPartition {
        self.deployment.topicPartition(topic, self.partition)
    }

    private mutating func readTopics() async throws {
        let topicPartitions = Self.topics.map(self.topicPartition)
        let starts = try await self.log.offsets(topicPartitions, at: .earliest)
        let ends = try await self.log.offsets(topicPartitions, at: .end)
        for topic in Self.topics {
            let topicPartition = self.topicPartition(topic)
            let start = starts[topicPartition] ?? 0
            if start > 0 { self.report.notes.append("Retention has removed \(topicPartition) up to offset \(start).") }
            let range = start..<max(start, ends[topicPartition] ?? 0)
            if topic == .requests { self.effects.requestsEnd = range.upperBound }
            let index = try await RecordIndex(
                self.log,
                topic,
                topicPartition,
                range: range,
                tally: self.tally,
                isOfGateway: { topic == .deadLetters && self.isOfWebhook($0) }
            )
            self.report.records += index.count
            self.indexes[topic] = index
        }
    }

    /// Whether a dead letter is one that a gateway writes for its webhook (R88): the event in it is on a topic whose events
    /// are posted.
    private func isOfWebhook(_ letter: LogRecord) -> Bool {
        let headers = DeadLetterHeaders(letter.content)
        guard headers.error == DeadLetterHeaders.webhookFailed, headers.partition == Int64(self.partition),
            let topic = [Topic.responses, .userActivities]
                .first(where: { self.topicPartition($0).topic.text == headers.topic }),
            let index = self.indexes[topic], let offset = headers.offset
        else { return false }
        guard offset >= index.earliest else { return true }
        var event = letter
        event.headers = DeadLetterHeaders.original(letter.headers)
        let digest = index.digest(at: offset)
        return headers.isCut ? digest != nil : digest == RecordIndex.digest(RecordDigest.of(event))
    }

    private mutating func readState() async throws -> [StateKey: [UInt8]] {
        var entries: [StateKey: [UInt8]] = [:]
        try await StateReader.read([self.topicPartition(.state)], of: self.log, formats: .current) { read in
            for entry in read {
                self.state.see(entry.key, entry.value, chains: self.chains)
                entries[entry.key] = entry.value
            }
            return true
        }
        return entries
    }

    // MARK: Turns

    private mutating func verify(_ record: LogRecord, isTail: Bool) {
        let position = RecordPosition(.journal, self.partition, record.offset)
        guard let turn = TurnRecord(record) else {
            self.report.findings.append(
                AuditFinding(
                    .chain,
                    position.description,
                    "This is not the record of a turn: it was changed, or not written by intentd."
                )
            )
            return
        }
        if !isTail { self.report.turns += 1 }
        self.chains.append(turn, digest: RecordDigest.of(record), at: position, isTail: isTail)
        self.verifyEvent(of: turn, at: position)
        if let finding = self.repeats.record(turn, at: position) { self.report.findings.append(finding) }
        self.verifyOutputs(of: turn, at: position, isTail: isTail)
        self.effects.record(turn, at: position, origins: self.indexes[.requests]?.origins ?? [:])
    }

    private mutating func verifyEvent(of turn: TurnRecord, at position: RecordPosition) {
        let event = turn.position
        let reached = self.reached[event.topic]?[turn.stage] ?? -1
        self.reached[event.topic, default: [:]][turn.stage] = max(reached, event.offset)
        let detail: String? =
            switch self.indexes[event.topic]?.check(eventAt: event.offset, digest: turn.eventDigest) {
            case .same, .cut: nil
            case .changed: "Its bytes differ from those that turn \(position) processed."
            case .missing, nil: "It is missing, but turn \(position) processed it."
            }
        guard let detail else { return }
        let about = InteractionReference(turn)
        self.report.findings.append(AuditFinding(.event, event.description, detail, about: about))
    }

    private mutating func verifyOutputs(of turn: TurnRecord, at position: RecordPosition, isTail: Bool) {
        let identifiers = TurnIdentifiers(deployment: self.deployment.id, stage: turn.stage, position: turn.position)
        for (ordinal, output) in turn.outputs.enumerated() {
            if let name = output.stateName {
                let key = StateKey(stage: turn.stage, user: turn.userID, name: name)
                self.state.record(key, digest: output.digest, at: position, isTail: isTail)
                continue
            }
            guard let topic = Topic(rawValue: output.target) else { continue }
            if topic == .requests {
                self.sentHome.append(SentHome(digest: output.digest, turn: position))
                continue
            }
            let isForwarded = turn.outcome == .forwarded || topic == .deadLetters
            let own = identifiers.id(generation: turn.generation, ordinal: String(ordinal))
            let check = self.indexes[topic]?
                .claim(digest: output.digest, id: isForwarded ? turn.eventID : own, by: turn.stage)
            self.record(check, of: turn, topic, at: position, isTail: isTail)
            guard topic == .responses, let end = self.indexes[topic]?.end(digest: output.digest) else { continue }
            let answer = RecordPosition(topic, self.partition, end)
            if let finding = self.repeats.record(endBy: turn, at: answer) { self.report.findings.append(finding) }
        }
    }

    private mutating func record(
        _ check: RecordIndex.OutputCheck?,
        of turn: TurnRecord,
        _ topic: Topic,
        at position: RecordPosition,
        isTail: Bool
    ) {
        func found(_ offset: Int64?, _ detail: String) {
            let location = offset.map { RecordPosition(topic, self.partition, $0).description } ?? topic.rawValue
            let about = InteractionReference(turn)
            self.report.findings.append(AuditFinding(.output, location, detail, about: about))
        }
        switch check {
        case .same, .cut, nil: break
        case .outOfOrder(let offset): found(offset, "It precedes a record that \(turn.stage) wrote earlier.")
        case .changed(let offset): found(offset, "Its bytes differ from those that turn \(position) wrote.")
        case .missing:
            // A turn that came after the topics were read may have written it since.
            guard !isTail else { break }
            found(
                nil,
                "The output of turn \(position) (of \(turn.position)) is missing in partition \(self.partition)."
            )
        }
    }

    // MARK: What is left

    private mutating func findUnaccounted(since time: Int64) {
        for topic in [Topic.resolved, .confirmed, .signals, .responses, .userActivities, .deadLetters] {
            for offset in self.indexes[topic]?.unclaimed(since: time) ?? [] {
                let location = RecordPosition(topic, self.partition, offset).description
                self.report.findings.append(AuditFinding(.output, location, "No turn wrote this."))
            }
        }
        guard !self.chains.isCut else { return }
        for topic in JournalRange.inputTopics {
            for (offset, stage) in self.indexes[topic]?.unprocessed(upTo: self.reached[topic] ?? [:]) ?? [] {
                let event = RecordPosition(topic, self.partition, offset)
                guard !self.state.waiting.contains(event) else { continue }
                let detail = "\(stage) has processed later events, but the journal has no turn of this one."
                self.report.findings.append(AuditFinding(.chain, event.description, detail))
            }
        }
    }

    private mutating func verify(_ entries: [StateKey: [UInt8]], isCut: Bool) {
        self.report.states = entries.count
        self.report.overwrittenStates = self.state.overwritten
        let altered = self.state.altered(entries, partition: self.partition, chains: self.chains)
        if !isCut {
            self.report.findings += altered
        } else if !altered.isEmpty {
            // Turns that retention has removed may have written those.
            self.report.notes.append(
                "\(altered.count) overwritten values of state/\(self.partition) are older than the journal."
            )
        }
        let indexes = self.indexes
        self.report.findings += self.state.verify(
            entries,
            partition: self.partition,
            chains: self.chains,
            isCut: isCut
        ) { event in
            guard let index = indexes[event.topic], event.offset >= index.earliest else { return nil }
            return .some(index.digest(at: event.offset))
        }
    }
}
